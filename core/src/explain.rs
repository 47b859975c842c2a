//! Explaining a derivation, field by field.

use alloc::string::String;
use alloc::vec::Vec;

use crate::derive::{Derived, Deriver};
use crate::error::Refusal;
use crate::intent::Intent;
use crate::policy::{Class, Leaf, Trail};
use crate::value::Value;
use crate::written::Want;

/// A derivation with all that led to it. It holds values of the payload: show it to people who
/// may see them, and log it nowhere.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// What was derived.
    pub derived: Derived,
    /// The material of the key.
    pub material: String,
    /// The material of the edge key, where there is one.
    pub edge_material: Option<String>,
    /// What became of each field that the policy declares or the payload has, in walking order.
    pub fields: Vec<ExplainedField>,
}

/// What became of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainedField {
    /// The field, as a path with indexes.
    pub field: String,
    /// Its class; `None` for an ignored field.
    pub class: Option<Class>,
    /// The kind of its value as given, such as `string`; `None` where it is absent or ignored.
    pub kind: Option<&'static str>,
    /// The name of its rule; `None` for an ignored field.
    pub rule: Option<&'static str>,
    /// The canonical form; `None` where the field counts as absent or is ignored.
    pub canonical: Option<String>,
}

impl ExplainedField {
    pub(crate) fn ignored(trail: &Trail<'_>) -> Self {
        ExplainedField { field: trail.to_field(), class: None, kind: None, rule: None, canonical: None }
    }

    pub(crate) fn leaf(
        leaf: &Leaf,
        trail: &Trail<'_>,
        value: Option<&Value<'_>>,
        canonical: Option<&str>,
    ) -> Self {
        ExplainedField {
            field: trail.to_field(),
            class: Some(leaf.class),
            kind: value.map(Value::kind),
            rule: Some(leaf.rule.name()),
            canonical: canonical.map(String::from),
        }
    }
}

impl Deriver {
    /// Derives an intent and shows how: each field from its kind to its canonical form, and the
    /// material.
    ///
    /// # Errors
    ///
    /// As [`Deriver::derive`].
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let explained = deriver.explain(&intent(r#"{"order": "A-1"}"#))?;
    /// assert_eq!(explained.material, r#"["acme","refund.create",{"order":"A-1"},1963584]"#);
    /// assert_eq!(explained.fields[1].canonical.as_deref(), Some("A-1"));
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn explain(&self, intent: &Intent<'_>) -> Result<Explanation, Refusal> {
        let mut fields = Vec::new();
        let (derived, material, edge_material) =
            self.with_written(intent, Want::Fingerprint, Some(&mut fields), |written| {
                let derived = self.derive_written(written)?;
                let edge_material = written.edge.map(|bucket| written.edge_material(bucket).text(0).into());
                Ok((derived, written.material().text(0).into(), edge_material))
            })?;
        Ok(Explanation { derived, material, edge_material, fields })
    }
}
