//! The two bodies that are written side by side: identity for the key, identity and checked
//! fields for the fingerprint.

use super::lists::{Elements, OpenList, Part};
use crate::buffer::Buffer;
use crate::material::escape_from;
use crate::policy::{Class, ListNode};

/// The bodies of one payload.
pub(crate) struct Bodies {
    /// Identity fields.
    pub(crate) key: Buffer,
    /// Identity and checked fields; none where only the key is wanted, or nothing is checked and
    /// the key's body is this one too.
    pub(crate) full: Option<Buffer>,
    /// Where checked fields are written that belong to no body that is wanted.
    unwanted: Buffer,
}

/// Where each body stood before an object or a list was begun.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    key: Mark,
    full: Mark,
}

/// Where a body stood before something was begun, and where its inside begins.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mark {
    before: usize,
    inside: usize,
}

impl Bodies {
    pub(crate) fn new(key: Buffer, full: Option<Buffer>) -> Self {
        Bodies { key, full, unwanted: Buffer::default() }
    }

    /// Begins an object.
    pub(crate) fn begin(&mut self, written: Option<&str>, bracket: u8) -> Marks {
        let full = self.full.as_mut().map_or(Mark::default(), |body| open(body, written, bracket));
        Marks { key: open(&mut self.key, written, bracket), full }
    }

    /// Ends an object, also one with nothing in it.
    pub(crate) fn end(&mut self, bracket: u8) {
        self.key.push_byte(bracket);
        if let Some(body) = &mut self.full {
            body.push_byte(bracket);
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
    pub(crate) fn begin_list(&mut self, node: &ListNode, written: Option<&str>) -> OpenList {
        let full = self.full.as_mut().map(|body| part(body, node.in_fingerprint, written));
        OpenList { key: part(&mut self.key, node.in_key, written), full }
    }

    /// The place where a leaf of a class is written first: its name is written, and its quote
    /// unless it is bare.
    #[inline]
    pub(crate) fn slot(&mut self, class: Class, written: Option<&str>, bare: bool) -> Slot<'_> {
        let body = match (class, &mut self.full) {
            (Class::Identity, _) => &mut self.key,
            (Class::Checked, Some(full)) => full,
            (Class::Checked, None) => {
                self.unwanted.truncate(0);
                &mut self.unwanted
            }
        };
        let before = body.len();
        begin_value(body, written, !bare);
        Slot { mark: Mark { before, inside: body.len() }, body, bare }
    }

    /// Copies an identity leaf, just written to the key's body, to the other.
    #[inline]
    pub(crate) fn copy_identity(&mut self, class: Class, written: Mark) {
        if let (Class::Identity, Some(full)) = (class, &mut self.full) {
            let leaf = self.key.tail(written.before);
            begin_value(full, None, false);
            full.push_utf8(leaf.strip_prefix(b",").unwrap_or(leaf));
        }
    }
}

/// A leaf while it is written.
pub(crate) struct Slot<'b> {
    body: &'b mut Buffer,
    mark: Mark,
    bare: bool,
}

impl Slot<'_> {
    /// Where the canonical form is appended.
    pub(crate) fn out(&mut self) -> &mut Buffer {
        self.body
    }

    /// The canonical form that was appended.
    pub(crate) fn canonical(&self) -> &str {
        self.body.text(self.mark.inside)
    }

    /// Whether nothing was appended.
    pub(crate) fn is_empty(&self) -> bool {
        self.body.len() == self.mark.inside
    }

    /// Takes back what was written.
    pub(crate) fn leave_out(self) {
        self.body.truncate(self.mark.before);
    }

    /// Escapes the canonical form where that is asked for, and closes the quote.
    #[inline]
    pub(crate) fn finish(self, escapes: bool) -> Mark {
        if escapes {
            escape_from(self.body, self.mark.inside);
        }
        if !self.bare {
            self.body.push_byte(b'"');
        }
        self.mark
    }
}

/// Writes what stands before a value: the comma that is due, the name of a member, and a string's
/// quote. `written` is `,"name":"`.
#[inline]
fn begin_value(body: &mut Buffer, written: Option<&str>, quote: bool) {
    let first = matches!(body.as_bytes().last(), None | Some(b'{' | b'[' | b','));
    let before = written.unwrap_or(",\"").as_bytes();
    let from = usize::from(first);
    let to = before.len() - usize::from(!quote);
    body.push_utf8(before.get(from..to).unwrap_or_default());
}

fn open(body: &mut Buffer, written: Option<&str>, bracket: u8) -> Mark {
    let before = body.len();
    begin_value(body, written, false);
    body.push_byte(bracket);
    Mark { before, inside: body.len() }
}

fn part(body: &mut Buffer, belongs: bool, written: Option<&str>) -> Part {
    if belongs {
        Part::In(Elements::after(open(body, written, b'[').inside))
    } else {
        Part::Out { before: body.len() }
    }
}

fn close(body: &mut Buffer, mark: Mark, bracket: u8) {
    if body.len() == mark.inside {
        body.truncate(mark.before);
    } else {
        body.push_byte(bracket);
    }
}
