//! What changes around payloads: actions, and the seconds that buckets tell apart.

use intentkey_core::Policy;

use super::change::Witness;
use super::search::{Candidates, EPOCH, Search, intent};

/// Buckets whose beginnings are looked at, at most: widths with no small common multiple have many.
const MOST_BUCKETS: u64 = 6;

impl Search<'_> {
    /// What changes around payloads: actions and buckets, with one payload that both take.
    pub(super) fn around(&self) -> Vec<Witness> {
        let Some(payload) = self.shared_payload() else { return Vec::new() };
        let mut found: Vec<Witness> = Vec::new();
        let actions = self.policies.iter().flat_map(|policy| policy.actions());
        for action in actions {
            let intent = |epoch| intent(action, epoch, payload.clone());
            let groups = self.moments().into_iter().map(|moments| moments.into_iter().map(intent).collect());
            let candidates: Candidates = groups.collect();
            for change in self.changes(&candidates) {
                if found.iter().all(|witness| witness.change != change) {
                    found.extend(self.witness(&candidates, change));
                }
            }
        }
        found
    }

    /// Groups of seconds that buckets or their edges tell apart, the first to be compared with the
    /// others: the beginnings of both policies' buckets, and what is near them.
    fn moments(&self) -> Vec<Vec<u64>> {
        let widths = self.policies.map(Policy::bucket_seconds);
        let edges = self.policies.map(Policy::edge_seconds);
        let span = widths.iter().copied().filter(|&width| width > 0).fold(1, common_multiple);
        let start = EPOCH.div_ceil(span).saturating_mul(span);
        let mut groups = Vec::new();
        for width in widths {
            for number in 0..=span.checked_div(width).unwrap_or(0).min(MOST_BUCKETS) {
                let begin = start.saturating_add(number.saturating_mul(width));
                let ends = widths.iter().flat_map(|width| [width.saturating_sub(1), *width]);
                let mut group = vec![begin];
                group.extend(ends.map(|later| begin.saturating_add(later)));
                group.extend([1, edges[0], edges[1]].map(|earlier| begin.saturating_sub(earlier)));
                groups.push(group);
            }
        }
        groups
    }
}

/// The smallest number of seconds that is a multiple of both.
pub(super) fn common_multiple(one: u64, other: u64) -> u64 {
    fn common_divisor(one: u64, other: u64) -> u64 {
        if other == 0 { one } else { common_divisor(other, one % other) }
    }
    let divisor = common_divisor(one, other).max(1);
    (one / divisor).saturating_mul(other)
}
