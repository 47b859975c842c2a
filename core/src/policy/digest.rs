//! The digest of a policy: what two producers compare before money moves.

use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use super::{Class, Empty, Field, Policy, Scope};
use crate::buffer::Buffer;
use crate::key::hex;
use crate::material::{push_integer, push_string};
use crate::rules::Rule;
use crate::sorted::sorted_by;

/// SHA-256 over the JSON text of all that decides keys, fingerprints and refusals, every default
/// written out, names sorted, no white space.
pub(super) fn of(policy: &Policy) -> String {
    hex(&Sha256::digest(text(policy).as_bytes()))
}

fn text(policy: &Policy) -> Buffer {
    let mut out = Json::default();
    out.raw("{\"actions\":[");
    let actions: Vec<&str> = sorted_by(policy.actions().collect(), |one, other| one.cmp(other));
    out.separated(&actions, |out, action| out.string(action));
    out.raw("],\"bucket_seconds\":");
    out.integer(policy.bucket_seconds());
    out.raw(",\"edge_seconds\":");
    out.integer(policy.edge_seconds());
    out.raw(",\"fields\":[");
    out.separated(&policy.fields, field);
    out.raw("],\"ignored\":[");
    out.separated(&policy.ignored, |out, ignored| out.string(&ignored.path.text()));
    let shape = policy.key_shape();
    out.raw("],\"key\":[");
    out.string(shape.format().name());
    out.raw(",");
    out.integer(shape.length() as u64);
    out.raw(match policy.scope {
        Scope::All => ",\"all\"],\"lists\":[",
        Scope::Tenant => ",\"tenant\"],\"lists\":[",
    });
    out.separated(&policy.lists, |out, list| {
        out.raw("[");
        out.string(&list.path.text());
        out.raw(if list.any_order { ",\"any\"]" } else { ",\"matters\"]" });
    });
    out.raw("],\"schema\":\"intentkey policy v1\"}");
    out.0
}

fn field(out: &mut Json, field: &Field) {
    out.raw("[");
    out.string(&field.path.text());
    out.raw(match field.class {
        Class::Identity => ",\"identity\",",
        Class::Checked => ",\"checked\",",
    });
    rule(out, &field.rule);
    out.raw(if field.required { ",\"required\"" } else { ",\"optional\"" });
    out.raw(if field.null_is_absent { ",\"null absent\"" } else { ",\"null refused\"" });
    out.raw(match field.empty {
        None => ",\"\"]",
        Some(Empty::Keep) => ",\"empty kept\"]",
        Some(Empty::Absent) => ",\"empty absent\"]",
        Some(Empty::Refuse) => ",\"empty refused\"]",
    });
}

/// A rule as a list: its name and all its parameters, in the order of their names.
fn rule(out: &mut Json, rule: &Rule) {
    out.raw("[");
    out.string(rule.name());
    for parameter in rule.parameters() {
        out.raw(",");
        out.string(&parameter);
    }
    out.raw("]");
}

/// JSON text while it is written.
#[derive(Default)]
struct Json(Buffer);

impl Json {
    #[inline(never)]
    fn raw(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn integer(&mut self, integer: u64) {
        push_integer(&mut self.0, integer);
    }

    fn string(&mut self, text: &str) {
        push_string(&mut self.0, text);
    }

    fn separated<T>(&mut self, elements: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.raw(",");
            }
            write(self, element);
        }
    }
}
