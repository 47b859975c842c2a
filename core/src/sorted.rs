//! Sorting, in one instance and by a heap: each instance of the library's other sorts adds five
//! kilobytes to the Wasm, and nothing that is sorted here is large or often sorted.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The items in order; equal ones stay in theirs.
pub(crate) fn sorted_by<T>(mut items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let swaps = swaps(items.len(), &|one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    for (one, other) in swaps {
        items.swap(one, other);
    }
    items
}

/// What to swap, one after the other, so that so many things are in order.
fn swaps(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let heap: BinaryHeap<Item<'_>> = (0..count).map(|index| Item { index, compare }).collect();
    let mut places = vec![0; count];
    for (place, item) in heap.into_sorted_vec().into_iter().enumerate() {
        if let Some(slot) = places.get_mut(item.index) {
            *slot = place;
        }
    }
    // Each swap brings a thing to its place.
    let mut swaps = Vec::new();
    for index in 0..count {
        while let Some(&place) = places.get(index)
            && place != index
        {
            places.swap(index, place);
            swaps.push((index, place));
        }
    }
    swaps
}

/// A thing in the heap: of two equal ones the earlier comes first, since a heap forgets which was.
struct Item<'c> {
    index: usize,
    compare: &'c dyn Fn(usize, usize) -> Ordering,
}

impl Ord for Item<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.compare)(self.index, other.index).then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for Item<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Item<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Item<'_> {}

/// Two neighbours that are equal.
pub(crate) fn find_equal<T>(sorted: &[T], equal: impl Fn(&T, &T) -> bool) -> Option<&T> {
    sorted.windows(2).find_map(|pair| match pair {
        [one, other] if equal(one, other) => Some(one),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_stay_in_order() {
        let items: Vec<(u32, usize)> =
            (0..1000).map(|index| ((index as u32).wrapping_mul(0x9e37_79b9) >> 29, index)).collect();
        let sorted = sorted_by(items.clone(), |one, other| one.0.cmp(&other.0));
        let mut expected = items;
        expected.sort();
        assert_eq!(sorted, expected);
        assert_eq!(sorted_by(vec!["b", "a", "b"], |one, other| one.cmp(other)), ["a", "b", "b"]);
        assert_eq!(find_equal(&["a", "b", "b"], |one, other| one == other), Some(&"b"));
        assert_eq!(find_equal(&["a", "b"], |one, other| one == other), None);
    }
}
