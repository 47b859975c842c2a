//! Lists: elements in order, or sorted by the bytes of their material.

use alloc::vec::Vec;

use super::body::Bodies;
use crate::buffer::Buffer;
use crate::sorted::sorted_by;

/// A list while it is written, in each body that it belongs to.
pub(crate) struct OpenList {
    pub(super) key: Part,
    pub(super) full: Option<Part>,
}

/// A list in one body.
pub(super) enum Part {
    /// Something below the list belongs to the body.
    In(Elements),
    /// Nothing does: whatever the elements write from here on is taken back at the end.
    Out { before: usize },
}

/// Where the elements of a list begin in one body.
pub(super) struct Elements {
    first: usize,
    /// The begin of each element, at its comma from the second on.
    begins: Vec<usize>,
}

impl OpenList {
    /// Marks the begin of an element.
    pub(crate) fn element(&mut self, bodies: &Bodies) {
        self.key.element(&bodies.key);
        if let (Some(part), Some(body)) = (&mut self.full, &bodies.full) {
            part.element(body);
        }
    }

    /// Ends the list, its elements sorted where their order does not matter.
    pub(crate) fn end(self, bodies: &mut Bodies, any_order: bool) {
        self.key.end(&mut bodies.key, any_order);
        if let (Some(part), Some(body)) = (self.full, &mut bodies.full) {
            part.end(body, any_order);
        }
    }
}

impl Part {
    fn element(&mut self, body: &Buffer) {
        if let Part::In(elements) = self {
            elements.begins.push(body.len());
        }
    }

    fn end(self, body: &mut Buffer, any_order: bool) {
        match self {
            Part::In(elements) => elements.end(body, any_order),
            Part::Out { before } => body.truncate(before),
        }
    }
}

impl Elements {
    pub(super) fn after(first: usize) -> Self {
        Elements { first, begins: Vec::new() }
    }

    fn end(self, body: &mut Buffer, any_order: bool) {
        if any_order && self.begins.len() > 1 {
            self.sort(body);
        }
        body.push_byte(b']');
    }

    /// Sorts the elements by their bytes; equal ones stay.
    fn sort(&self, body: &mut Buffer) {
        let written = body.split_off(self.first);
        let ends = self.begins.iter().skip(1).copied().chain([self.first + written.len()]);
        let elements: Vec<&str> = self
            .begins
            .iter()
            .zip(ends)
            .filter_map(|(begin, end)| written.get(begin - self.first..end - self.first))
            .map(|element| element.strip_prefix(',').unwrap_or(element))
            .collect();
        let elements = sorted_by(elements, |one, other| one.cmp(other));
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                body.push_byte(b',');
            }
            body.push_str(element);
        }
    }
}
