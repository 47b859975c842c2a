//! Paths: where a field lives in a payload.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

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
        for (index, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Element => f.write_str("[]")?,
                Segment::Name(name) => {
                    if index > 0 {
                        f.write_str(".")?;
                    }
                    write_name(f, name)?;
                }
            }
        }
        Ok(())
    }
}

/// Writes a name with its backslashes.
pub(crate) fn write_name(out: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    for character in name.chars() {
        if matches!(character, '.' | '[' | ']' | '\\') {
            out.write_char('\\')?;
        }
        out.write_char(character)?;
    }
    Ok(())
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
        let mut field = String::new();
        let written = self.write(&mut field, true);
        debug_assert!(written.is_ok(), "writing to a String does not fail");
        field
    }

    /// Writes the path, with indexes or without: `items[2].sku`, `items[].sku`.
    pub(crate) fn write(self, out: &mut dyn fmt::Write, indexes: bool) -> fmt::Result {
        match self {
            Trail::Root => Ok(()),
            Trail::Name(parent, name) => {
                parent.write(out, indexes)?;
                if !matches!(parent, Trail::Root) {
                    out.write_char('.')?;
                }
                write_name(out, name)
            }
            Trail::Index(parent, index) => {
                parent.write(out, indexes)?;
                if indexes { write!(out, "[{index}]") } else { out.write_str("[]") }
            }
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
        let mut path = String::new();
        assert_eq!(sku.write(&mut path, false), Ok(()));
        assert_eq!(path, r"items[].s\.ku");
        let nested = Trail::Name(&Trail::Name(&Trail::Root, ""), "q");
        assert_eq!(nested.to_field(), ".q");
    }
}
