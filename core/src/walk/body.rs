//! The two bodies that are written side by side: identity for the key, identity and checked
//! fields for the fingerprint.

use alloc::vec::Vec;

use crate::material::push_string;
use crate::policy::{Class, Leaf, ListNode};

use super::lists::{Elements, OpenList, Part};

/// The bodies of one payload.
pub(crate) struct Bodies {
    /// Identity fields.
    pub(crate) key: Vec<u8>,
    /// Identity and checked fields; none where only the key is wanted, or nothing is checked and
    /// the key's body is this one too.
    pub(crate) full: Option<Vec<u8>>,
}

/// Where each body stood before an object or a list was begun.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    key: Mark,
    full: Mark,
}

#[derive(Clone, Copy, Default)]
struct Mark {
    before: usize,
    inside: usize,
}

impl Bodies {
    /// Begins an object.
    pub(crate) fn begin(&mut self, written: Option<&[u8]>, bracket: u8) -> Marks {
        let full = self.full.as_mut().map_or(Mark::default(), |body| open(body, written, bracket));
        Marks { key: open(&mut self.key, written, bracket), full }
    }

    /// Ends an object, also one with nothing in it.
    pub(crate) fn end(&mut self, bracket: u8) {
        self.key.push(bracket);
        if let Some(body) = &mut self.full {
            body.push(bracket);
        }
    }

    /// Ends an object; leaves it out of each body in which nothing is in it.
    pub(crate) fn end_unless_empty(&mut self, marks: Marks, bracket: u8) {
        close(&mut self.key, marks.key, bracket);
        if let Some(body) = &mut self.full {
            close(body, marks.full, bracket);
        }
    }

    /// Begins a list in each body to which something below it belongs.
    pub(crate) fn begin_list(&mut self, node: &ListNode, written: Option<&[u8]>) -> OpenList {
        let full = self.full.as_mut().map(|body| part(body, node.in_fingerprint, written));
        OpenList { key: part(&mut self.key, node.in_key, written), full }
    }

    /// Writes a leaf where its class belongs.
    pub(crate) fn leaf(&mut self, leaf: &Leaf, written: Option<&[u8]>, canonical: &str) {
        let bare = leaf.rule.is_bare();
        if leaf.class == Class::Identity {
            write_leaf(&mut self.key, written, canonical, bare);
        }
        if let Some(body) = &mut self.full {
            write_leaf(body, written, canonical, bare);
        }
    }
}

#[inline]
fn write_leaf(body: &mut Vec<u8>, written: Option<&[u8]>, canonical: &str, bare: bool) {
    separate(body, written);
    if bare {
        body.extend_from_slice(canonical.as_bytes());
    } else {
        push_string(body, canonical);
    }
}

/// Writes the comma that is due, and the name.
#[inline]
fn separate(body: &mut Vec<u8>, written: Option<&[u8]>) {
    if !matches!(body.last(), Some(b'{' | b'[' | b',')) {
        body.push(b',');
    }
    body.extend_from_slice(written.unwrap_or_default());
}

fn open(body: &mut Vec<u8>, written: Option<&[u8]>, bracket: u8) -> Mark {
    let before = body.len();
    separate(body, written);
    body.push(bracket);
    Mark { before, inside: body.len() }
}

fn part(body: &mut Vec<u8>, belongs: bool, written: Option<&[u8]>) -> Part {
    if belongs {
        Part::In(Elements::after(open(body, written, b'[').inside))
    } else {
        Part::Out { before: body.len() }
    }
}

fn close(body: &mut Vec<u8>, mark: Mark, bracket: u8) {
    if body.len() == mark.inside {
        body.truncate(mark.before);
    } else {
        body.push(bracket);
    }
}
