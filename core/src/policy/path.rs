//! Paths: where a field lives in a payload.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::decimal;

/// The path of a field, as policies write it: `creditor.key`, `items[].sku`, `to[]`.
///
/// A backslash stands before a `.`, `[`, `]` or backslash that belongs to a name. Names are
/// compared exactly, never normalized, and are not empty.
///
/// ```
/// use intentkey_core::Policy;
///
/// let policy = Policy::from_json(r#"{"name": "cart", "actions": ["buy"], "bucket_seconds": 0,
///     "identity": {"items[].sku": {"rule": "exact"}}}"#)?;
/// let path = policy.fields()[0].path();
/// assert_eq!((path.to_string().as_str(), path.segments().len()), ("items[].sku", 3));
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(Vec<Segment>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// Each element of a list.
    Element,
    /// The member of an object.
    Name(Box<str>),
}

impl Path {
    /// Reads a path; the error says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let mut segments = Vec::new();
        let mut rest = text;
        loop {
            let (name, after) = take_name(rest)?;
            segments.push(Segment::Name(name));
            rest = after;
            while let Some(after) = rest.strip_prefix("[]") {
                segments.push(Segment::Element);
                rest = after;
            }
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None if rest.is_empty() => return Ok(Path(segments)),
                None => return Err("after `[]` comes `.`, another `[]` or the end"),
            }
        }
    }

    pub(crate) fn from_segments(segments: Vec<Segment>) -> Self {
        Path(segments)
    }

    /// The path as policies write it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for segment in &self.0 {
            match segment {
                Segment::Element => text.push_str("[]"),
                Segment::Name(name) => push_name(&mut text, name),
            }
        }
        text
    }

    /// The steps, from the payload down.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether the path means the elements of a list.
    #[must_use]
    pub fn is_element(&self) -> bool {
        self.0.last() == Some(&Segment::Element)
    }
}

/// Takes one name off the front of a path.
fn take_name(text: &str) -> Result<(Box<str>, &str), &'static str> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    let mut end = text.len();
    while let Some((at, character)) = characters.next() {
        match character {
            '.' | '[' => {
                end = at;
                break;
            }
            ']' => return Err("a `]` that belongs to a name takes a backslash before it"),
            '\\' => match characters.next() {
                Some((_, escaped @ ('.' | '[' | ']' | '\\'))) => name.push(escaped),
                _ => return Err("a backslash stands before `.`, `[`, `]` or a backslash only"),
            },
            _ => name.push(character),
        }
    }
    let rest = text.get(end..).unwrap_or_default();
    if name.is_empty() {
        return Err("a name in a path is not empty");
    }
    if rest.starts_with('[') && !rest.starts_with("[]") {
        return Err("`[` is followed by `]`; one that belongs to a name takes a backslash before it");
    }
    Ok((name.into_boxed_str(), rest))
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// Appends the name of a member to the path of its parent.
pub(crate) fn push_name(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    each_written(name, &mut |character| path.push(character));
}

/// Hands on the characters of a name with its backslashes.
fn each_written(name: &str, push: &mut dyn FnMut(char)) {
    for character in name.chars() {
        if matches!(character, '.' | '[' | ']' | '\\') {
            push('\\');
        }
        push(character);
    }
}

/// The way from the payload down to a value, kept on the stack and written out only when a
/// refusal needs it.
#[derive(Clone, Copy)]
pub(crate) enum Trail<'t> {
    Root,
    Name(&'t Trail<'t>, &'t str),
    Index(&'t Trail<'t>, usize),
}

impl Trail<'_> {
    /// The path with indexes: `items[2].sku`; empty at the payload itself.
    pub(crate) fn to_field(self) -> String {
        let mut out = Cut { text: String::new(), left: usize::MAX };
        self.write(&mut out, true);
        out.text
    }

    /// The first so many characters of the path without indexes: `items[].sku`. The rest is never
    /// written: a payload of long names has many long paths.
    pub(crate) fn to_path(self, most: usize) -> String {
        let mut out = Cut { text: String::new(), left: most };
        self.write(&mut out, false);
        out.text
    }

    fn write(self, out: &mut Cut, indexes: bool) {
        match self {
            Trail::Root => {}
            Trail::Name(parent, name) => {
                parent.write(out, indexes);
                if !matches!(parent, Trail::Root) {
                    out.push('.');
                }
                each_written(name, &mut |character| out.push(character));
            }
            Trail::Index(parent, index) => {
                parent.write(out, indexes);
                out.push('[');
                if indexes {
                    decimal::integer(index as u64).chars().for_each(|digit| out.push(digit));
                }
                out.push(']');
            }
        }
    }
}

/// Text that takes so many characters and no more.
struct Cut {
    text: String,
    left: usize,
}

impl Cut {
    fn push(&mut self, character: char) {
        if let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            self.text.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_path_prints_as_it_was_written() {
        for text in ["a", "creditor.key", "items[].sku", "to[]", "m[][]", "m[][].x", r"odd\.name\[0\]\\", " "]
        {
            assert_eq!(Path::parse(text).map(|path| path.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["", ".a", "a.", "a..b", "[]", "[].a", "a[", "a]", "a[0]", "a[]b", r"a\", r"a\b", "a.[]"]
        {
            assert!(Path::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_trail_is_written_with_or_without_indexes() {
        let items = Trail::Name(&Trail::Root, "items");
        let item = Trail::Index(&items, 2);
        let sku = Trail::Name(&item, "s.ku");
        assert_eq!(sku.to_field(), r"items[2].s\.ku");
        assert_eq!(sku.to_path(64), r"items[].s\.ku");
        assert_eq!(sku.to_path(9), r"items[].s");
        let nested = Trail::Name(&Trail::Name(&Trail::Root, ""), "q");
        assert_eq!(nested.to_field(), ".q");
    }
}
