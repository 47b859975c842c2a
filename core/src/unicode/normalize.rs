//! Normalization Form C (UAX #15), of text as it is or of its canonical caseless form.
//!
//! Text that is in NFC, the usual, is passed through but for folding: what the quick check of UAX
//! #15 (section 9) leaves open is decomposed, ordered and composed from the stable code point
//! before it to the next one.

use alloc::vec::Vec;

use super::decomposition::{composed, decomposed};
use super::folding::each_folded;
use super::property::Property;
use crate::buffer::Buffer;
use crate::sorted::sorted_by;

/// What text becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// NFC(text).
    Composed,
    /// NFC(fold(NFD(text))).
    Folded,
}

/// Appends the form of `text`. What is in `out` does not interact with it.
pub(super) fn normalize(form: Form, text: &str, out: &mut Buffer) {
    // What is before it in the text has been appended.
    let mut done = 0;
    // The last stable code point, and where what it folds to begins.
    let (mut stable, mut folded) = (0, out.len());
    let mut class = 0;
    let mut is_open = false;
    let mut decomposition = Vec::new();
    for (at, c) in text.char_indices() {
        let property = Property::of(c);
        if property.is_stable() {
            if is_open {
                involved(form, part(text, stable, at), &mut decomposition, out);
                (done, is_open) = (at, false);
            }
            (stable, class) = (at, 0);
            if property.is_folded() && form == Form::Folded {
                out.push_str(part(text, done, at));
                folded = out.len();
                out.push(property.folded(c));
                done = at + c.len_utf8();
            }
        } else if !is_open {
            let previous = core::mem::replace(&mut class, property.class());
            is_open = property.is_involved() || class < previous;
            if is_open && done > stable {
                out.truncate(folded);
            } else if is_open {
                out.push_str(part(text, done, stable));
            }
        }
    }
    if is_open {
        involved(form, part(text, stable, text.len()), &mut decomposition, out);
    } else {
        out.push_str(part(text, done, text.len()));
    }
}

fn part(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// A code point that does not decompose.
type Scalar = (char, Property);

/// Appends the form of text in which code points may interact: every step of the definition.
fn involved(form: Form, text: &str, decomposition: &mut Vec<Scalar>, out: &mut Buffer) {
    decomposition.clear();
    text.chars().for_each(|c| decompose(c, decomposition));
    put_in_order(decomposition);
    let mut composition = Composition { starter: None, marks: Buffer::default(), class: 0, out };
    for &(c, property) in &*decomposition {
        match form {
            Form::Composed => composition.push((c, property)),
            // Nothing that does not decompose folds to what does, or out of its order.
            Form::Folded => each_folded(c, &mut |c| composition.push((c, Property::of(c)))),
        }
    }
    composition.end();
}

/// Appends the full canonical decomposition of `c`.
fn decompose(c: char, out: &mut Vec<Scalar>) {
    match decomposed(c) {
        None => out.push((c, Property::of(c))),
        Some((first, second)) => {
            decompose(first, out);
            out.extend(second.map(|second| (second, Property::of(second))));
        }
    }
}

/// The Canonical Ordering Algorithm (definition D109): marks by class, equal ones as they are.
fn put_in_order(scalars: &mut [Scalar]) {
    let class = |scalar: &Scalar| scalar.1.class();
    for marks in scalars.chunk_by_mut(|one, next| class(one) != 0 && class(next) != 0) {
        if !marks.is_sorted_by_key(class) {
            let sorted = sorted_by(marks.to_vec(), |one, next| class(one).cmp(&class(next)));
            marks.copy_from_slice(&sorted);
        }
    }
}

/// The Canonical Composition Algorithm (definition D117), which appends what is certain.
struct Composition<'o> {
    starter: Option<char>,
    /// What follows the starter and did not compose with it.
    marks: Buffer,
    /// The class of the last of the marks, 0 where there is none.
    class: u8,
    out: &'o mut Buffer,
}

impl Composition<'_> {
    fn push(&mut self, (c, property): Scalar) {
        let class = property.class();
        let is_blocked = self.class != 0 && self.class >= class;
        let starter = self.starter.filter(|_| property.is_involved() && !is_blocked);
        if let Some(composed) = starter.and_then(|starter| composed(starter, c)) {
            self.starter = Some(composed);
        } else if class == 0 {
            self.end();
            self.starter = Some(c);
        } else {
            self.marks.push(c);
            self.class = class;
        }
    }

    fn end(&mut self) {
        if let Some(starter) = self.starter.take() {
            self.out.push(starter);
        }
        self.out.push_utf8(self.marks.as_bytes());
        self.marks.truncate(0);
        self.class = 0;
    }
}
