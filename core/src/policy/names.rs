//! Where names are: a table in which each name has a place of its own, so that a look-up is one step.

use alloc::vec;
use alloc::vec::Vec;

/// A perfect hash of the names of an object: multiplicative hashing (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4), with a multiplier under which no two of them meet.
#[derive(Clone, Debug)]
pub(super) struct Names {
    multiplier: u64,
    /// How many bits of a product are dropped.
    shift: u32,
    slots: Vec<Slot>,
}

/// The name that is hashed to a place.
#[derive(Clone, Copy, Debug)]
struct Slot {
    head: Head,
    index: usize,
}

/// No name's.
const EMPTY: Slot = Slot { head: Head(0, 0), index: usize::MAX };

/// The most names that are worth a table.
const MOST: usize = 64;

/// How many multipliers are tried. One in some thirty does for the most names, most for a few; names
/// that no multiplier tells apart are those that [`Head`] does not.
const TRIES: u64 = 512;

/// 2^64 over the golden ratio, made odd.
const FIRST_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Names {
    /// A table of names, where there is one.
    pub(super) fn new<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> Option<Self> {
        let heads: Vec<Head> = names.map(Head::of).collect();
        if heads.is_empty() || heads.len() > MOST {
            return None;
        }
        // Eight slots a name.
        let bits = heads.len().next_power_of_two().trailing_zeros() + 3;
        (0..TRIES).find_map(|step| {
            let multiplier = FIRST_MULTIPLIER.wrapping_mul(2 * step + 1);
            let mut names = Names { multiplier, shift: u64::BITS - bits, slots: vec![EMPTY; 1 << bits] };
            names.place_all(&heads).then_some(names)
        })
    }

    /// Puts each name in its slot; false where two meet.
    fn place_all(&mut self, heads: &[Head]) -> bool {
        heads.iter().enumerate().all(|(index, &head)| {
            let place = self.place(head);
            let slot = self.slots.get_mut(place);
            slot.is_some_and(|slot| core::mem::replace(slot, Slot { head, index }).index == EMPTY.index)
        })
    }

    fn place(&self, head: Head) -> usize {
        (head.mixed().wrapping_mul(self.multiplier) >> self.shift) as usize
    }

    /// The index of a name, if it is one of the names, of which `name_at` gives each.
    #[inline]
    pub(super) fn find<'n>(&self, name: &str, name_at: impl Fn(usize) -> Option<&'n str>) -> Option<usize> {
        let head = Head::of(name);
        let slot = self.slots.get(self.place(head))?;
        let found = name_at(slot.index)?;
        let same = slot.head == head && found.len() == name.len() && (name.len() <= 16 || found == name);
        same.then_some(slot.index)
    }
}

/// Sixteen bytes that tell names of one length apart up to sixteen bytes, and longer ones nearly
/// always: made of all bytes of the former, and of the first and the last eight of the latter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head(u64, u64);

impl Head {
    #[inline]
    fn of(name: &str) -> Self {
        let bytes = name.as_bytes();
        if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            return Head(u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        }
        if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            return Head(u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into());
        }
        Head(0, bytes.iter().fold(0, |head, &byte| head << 8 | u64::from(byte)))
    }

    fn mixed(self) -> u64 {
        self.0.rotate_left(32) ^ self.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn found(names: &[String], name: &str) -> Option<usize> {
        let table = Names::new(names.iter().map(|name| &**name)).unwrap();
        table.find(name, |index| names.get(index).map(|name| &**name))
    }

    #[test]
    fn each_name_is_found_and_no_other() {
        for count in [1, 2, 9, 33, MOST] {
            let names: Vec<String> =
                (0..count).map(|number| format!("{}{number}", "n".repeat(number % 20))).collect();
            for (index, name) in names.iter().enumerate() {
                assert_eq!(found(&names, name), Some(index));
                for other in [format!("{name}."), format!(".{name}"), name.replace('n', "m"), String::new()] {
                    assert_eq!(
                        found(&names, &other),
                        names.iter().position(|name| *name == other),
                        "{other}"
                    );
                }
            }
        }
        let middle = |letter| format!("creditor{letter}_account");
        assert_eq!(found(&[middle('s')], &middle('x')), None);
    }

    #[test]
    fn names_without_a_table_are_said_to_have_none() {
        assert!(Names::new(["creditors_account", "creditorx_account"].into_iter()).is_none());
        assert!(Names::new(core::iter::empty::<&str>().collect::<Vec<_>>().into_iter()).is_none());
        let many: Vec<String> = (0..=MOST).map(|number| format!("n{number}")).collect();
        assert!(Names::new(many.iter().map(|name| &**name)).is_none());
    }
}
