//! Events and repeats over time.

use crate::audit::record::Record;

/// How many slots of time there are at most.
const MOST_SLOTS: u64 = 120;

/// The lengths of slots, in seconds.
const SLOTS: [u64; 12] =
    [1, 10, 60, 300, 900, 3600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000, 3_153_600_000];

/// Events and repeats over time.
#[derive(Clone, Debug, Default)]
pub(in crate::audit) struct Slots {
    pub(in crate::audit) from: u64,
    pub(in crate::audit) to: u64,
    pub(in crate::audit) length: u64,
    /// Events, and those of them whose key was there before.
    pub(in crate::audit) counts: Vec<(u64, u64)>,
}

impl Slots {
    pub(super) fn over(records: &[Record]) -> Self {
        let epochs = || records.iter().map(|record| record.epoch);
        let (Some(from), Some(to)) = (epochs().min(), epochs().max()) else { return Slots::default() };
        let fits = |length: &u64| to / length - from / length < MOST_SLOTS;
        let length = SLOTS.into_iter().find(fits).unwrap_or(u64::MAX);
        let count = usize::try_from(to / length - from / length + 1).unwrap_or(1);
        Slots { from, to, length, counts: vec![(0, 0); count] }
    }

    pub(super) fn count(&mut self, epoch: u64, repeat: bool) {
        let slot = usize::try_from(epoch / self.length - self.from / self.length).unwrap_or(usize::MAX);
        if let Some(count) = self.counts.get_mut(slot) {
            count.0 += 1;
            count.1 += u64::from(repeat);
        }
    }
}
