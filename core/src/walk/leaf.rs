//! Leaves: from one value, or none, to its canonical form.

use alloc::string::String;

use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::{Empty, Leaf, Node, Path, Segment, Trail, member_place};
use crate::rules::{Emptiness, Input, minor_unit};
use crate::swar;
use crate::value::Value;

/// Judges the leaves of one payload.
pub(crate) struct Leaves<'w, 'v> {
    root: &'w Node,
    payload: &'w Value<'v>,
    /// The text of the number at hand.
    number: String,
}

/// What became of a leaf.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judged {
    /// It counts as absent.
    Absent,
    /// Its canonical form holds nothing that material escapes.
    Plain,
    /// Its canonical form may hold what material escapes.
    ToBeEscaped,
}

/// What is wrong with a leaf.
enum Fault {
    /// The leaf itself.
    Here(Code),
    /// The currency that it needs.
    There(Refusal),
}

impl From<Code> for Fault {
    fn from(code: Code) -> Self {
        Fault::Here(code)
    }
}

impl<'w, 'v> Leaves<'w, 'v> {
    pub(crate) fn new(root: &'w Node, payload: &'w Value<'v>) -> Self {
        Leaves { root, payload, number: String::new() }
    }

    /// Judges a value at a leaf: null, kind, surrogate or unsafe number, empty, currency, then the
    /// rule's own. The canonical form is appended to `out`.
    #[inline]
    pub(crate) fn judge(
        &mut self,
        leaf: &Leaf,
        value: &Value<'_>,
        trail: &Trail<'_>,
        out: &mut Buffer,
    ) -> Result<Judged, Refusal> {
        self.canonicalize(leaf, value, out).map_err(|fault| match fault {
            Fault::Here(code) => Refusal::at(code, trail.to_field()),
            Fault::There(refusal) => refusal,
        })
    }

    #[inline]
    fn canonicalize(&mut self, leaf: &Leaf, value: &Value<'_>, out: &mut Buffer) -> Result<Judged, Fault> {
        let Some(text) = text_at(leaf, value, &mut self.number)? else {
            return Ok(Judged::Absent);
        };
        let minor_unit = match &leaf.currency_field {
            None => None,
            Some(path) => Some(minor_unit_at(self.root, self.payload, path).map_err(Fault::There)?),
        };
        let start = out.len();
        leaf.rule.canonical(Input { text, minor_unit }, out)?;
        if out.len() == start && leaf.manners.emptiness != Emptiness::None {
            return Ok(if empty(leaf)? { Judged::Plain } else { Judged::Absent });
        }
        // Looked for where it came from: what was just written is slow to read back.
        let is_special = leaf.manners.may_need_escapes && swar::find_special(text.as_bytes()).is_some();
        Ok(if is_special { Judged::ToBeEscaped } else { Judged::Plain })
    }
}

/// The minor unit of the currency that an amount's rule names. The refusal names the currency's
/// field.
fn minor_unit_at(root: &Node, payload: &Value<'_>, path: &Path) -> Result<u8, Refusal> {
    let at_currency = |code| Refusal::at(code, path.text());
    let (node, value) = currency(root, payload, path)?;
    let (Node::Leaf(leaf), Some(value)) = (node, value) else {
        return Err(at_currency(Code::FieldMissing));
    };
    let mut number = String::new();
    let text = text_at(leaf, value, &mut number).map_err(at_currency)?;
    minor_unit(text.ok_or_else(|| at_currency(Code::FieldMissing))?).map_err(at_currency)
}

/// The text of a value as its rule wants it: null, kind, surrogate or unsafe number, and what is
/// empty by trimming alone, are judged here. `None` where it counts as absent.
#[inline(always)]
fn text_at<'s>(leaf: &Leaf, value: &'s Value<'_>, number: &'s mut String) -> Result<Option<&'s str>, Code> {
    if matches!(value, Value::Null) {
        return if leaf.null_is_absent { absent(leaf).map(|_| None) } else { Err(Code::FieldNull) };
    }
    let text = leaf.manners.text_of(value, number)?;
    if text.is_empty() && leaf.manners.emptiness == Emptiness::Nothing {
        return empty(leaf).map(|_| None);
    }
    Ok(Some(text))
}

fn absent(leaf: &Leaf) -> Result<bool, Code> {
    if leaf.required { Err(Code::FieldMissing) } else { Ok(false) }
}

fn empty(leaf: &Leaf) -> Result<bool, Code> {
    match leaf.empty {
        Some(Empty::Keep) => Ok(true),
        Some(Empty::Absent) => absent(leaf),
        Some(Empty::Refuse) | None => Err(Code::FieldEmpty),
    }
}

/// The place of a currency field, and its value where the payload has one.
fn currency<'p, 'v, 'a>(
    root: &'p Node,
    payload: &'a Value<'v>,
    path: &Path,
) -> Result<(&'p Node, Option<&'a Value<'v>>), Refusal> {
    let (mut node, mut value) = (root, Some(payload));
    for (depth, segment) in path.segments().iter().enumerate() {
        let refused = |code| Refusal::at(code, place_above(path, depth));
        let (Segment::Name(name), Node::Object(object)) = (segment, node) else {
            return Err(refused(Code::PolicyInvalid));
        };
        value = match value {
            None => None,
            Some(Value::Object(members)) => {
                members.iter().find(|member| member.0.as_str() == Some(&**name)).map(|member| &member.1)
            }
            Some(Value::Null) => return Err(refused(Code::FieldNull)),
            Some(_) => return Err(refused(Code::FieldType)),
        };
        node = object.member(name).ok_or_else(|| refused(Code::PolicyInvalid))?;
    }
    Ok((node, value))
}

/// The first so many steps of a currency field's path.
fn place_above(path: &Path, depth: usize) -> String {
    path.segments().iter().take(depth).fold(String::new(), |place, segment| match segment {
        Segment::Name(name) => member_place(&place, name),
        Segment::Element => place,
    })
}
