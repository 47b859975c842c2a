//! Lists whose order does not count: their elements in an order that both sides share.

use std::collections::BTreeMap;

use intentkey_core::{Policy, Segment};

use super::{Cell, Part};
use crate::field_path::{Step, steps, written};

/// What one field of an element came to: whether it is outside of the identity, its way on from the
/// element, and its canonical form.
type CameTo = (bool, String, Option<String>);

/// Numbers the elements of lists in any order by what they came to, inner lists first.
pub(super) fn settle(cells: &mut [Cell], policy: &Policy) {
    let mut lists: Vec<Vec<Segment>> = policy
        .lists()
        .iter()
        .filter(|list| list.is_any_order())
        .map(|list| list.path().segments().to_vec())
        .collect();
    lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
    for list in lists {
        settle_list(cells, &list);
    }
}

/// Renumbers every instance of one list.
fn settle_list(cells: &mut [Cell], list: &[Segment]) {
    let depth = list.len();
    // By the way to the list and the element's number: what the element came to.
    let mut elements: BTreeMap<(String, usize), Vec<CameTo>> = BTreeMap::new();
    for cell in cells.iter() {
        if let Some((way, index, below)) = within(&steps(&cell.name), list, depth) {
            let came_to = (cell.part != Part::Identity, below, cell.canonical.clone());
            elements.entry((way, index)).or_default().push(came_to);
        }
    }
    let mut order: BTreeMap<String, Vec<(Vec<CameTo>, usize)>> = BTreeMap::new();
    for ((way, index), mut came_to) in elements {
        came_to.sort();
        order.entry(way).or_default().push((came_to, index));
    }
    order.values_mut().for_each(|elements| elements.sort());
    for cell in cells.iter_mut() {
        let mut own = steps(&cell.name);
        let Some((way, index, _)) = within(&own, list, depth) else { continue };
        let place =
            order.get(&way).and_then(|elements| elements.iter().position(|element| element.1 == index));
        if let (Some(step), Some(place)) = (own.get_mut(depth), place) {
            *step = Step::Index(place);
            cell.name = written(&own);
        }
    }
}

/// The way to the list, the number of the element, and the way on, of what lies in such a list.
fn within(own: &[Step], list: &[Segment], depth: usize) -> Option<(String, usize, String)> {
    let is_way = |(step, segment): (&Step, &Segment)| match (step, segment) {
        (Step::Name(name), Segment::Name(wanted)) => **name == **wanted,
        (Step::Index(_), Segment::Element) => true,
        _ => false,
    };
    let way = own.get(..depth)?;
    let Step::Index(index) = own.get(depth)? else { return None };
    way.iter()
        .zip(list)
        .all(is_way)
        .then(|| (written(way), *index, written(own.get(depth + 1..).unwrap_or_default())))
}
