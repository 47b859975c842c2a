//! Intents: whose, what and when, around a payload.

use intentkey_core::Policy;
use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::cycle::cycle;
use super::json::{Json, Text};
use super::style::Style;

/// The first epoch that is taken for milliseconds: 10^11.
pub(crate) const MILLISECONDS_FROM: u64 = 100_000_000_000;

/// Tenants: names, and text that is something else in other notations. None is trimmed, folded or
/// normalized.
const TENANTS: &[&str] = &[
    "acme",
    "Acme",
    "acme ",
    " acme",
    "\u{e9}",
    "e\u{301}",
    "a\"b",
    "a\\b",
    "a\",\"b",
    "[",
    "]",
    "{",
    "}",
    "\u{0}",
    "\n",
    "\u{1f600}",
    "null",
    "0",
    "a,b",
    "__proto__",
    "\u{feff}a",
    "\u{fb01}",
    "fi",
    "\u{7f}",
    "\u{2028}",
    " ",
    "a/b",
    "\u{10ffff}",
    "\u{1f}",
];

/// An intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Intent {
    /// Whose it is.
    pub(crate) tenant: String,
    /// What is to be done.
    pub(crate) action: String,
    /// When it was decided.
    pub(crate) epoch: u64,
    /// Its fields.
    pub(crate) payload: Json,
}

/// An intent but for its payload.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Whose it is.
    pub(crate) tenant: String,
    /// What is to be done.
    pub(crate) action: String,
    /// When it was decided.
    pub(crate) epoch: u64,
}

impl Intent {
    /// The members in their usual order.
    pub(crate) fn members(&self) -> Vec<(Text, Json)> {
        let name = |name: &str| Text::Plain(name.to_owned());
        vec![
            (name("tenant"), Json::text(self.tenant.clone())),
            (name("action"), Json::text(self.action.clone())),
            (name("intent_epoch"), Json::literal(self.epoch.to_string())),
            (name("payload"), self.payload.clone()),
        ]
    }

    /// The intent as JSON text.
    pub(crate) fn text(&self) -> String {
        Json::Object(self.members()).compact()
    }

    /// The intent as JSON text in a style.
    pub(crate) fn styled(&self, style: &Style) -> String {
        let mut out = String::new();
        let mut style = style.clone();
        style.space(&mut out);
        Json::Object(self.members()).write(&mut style, &mut out);
        style.space(&mut out);
        out
    }
}

impl Frame {
    /// The intent with a payload.
    pub(crate) fn around(&self, payload: Json) -> Intent {
        Intent { tenant: self.tenant.clone(), action: self.action.clone(), epoch: self.epoch, payload }
    }

    /// Any tenant, any of the policy's actions, any epoch.
    pub(crate) fn any(policy: &Policy) -> BoxedStrategy<Frame> {
        let actions: Vec<String> = policy.actions().map(String::from).collect();
        (tenant(), cycle(&actions), epoch(policy.bucket_seconds()))
            .prop_map(|(tenant, action, epoch)| Frame { tenant, action, epoch })
            .boxed()
    }
}

/// A tenant: mostly the plain one.
pub(crate) fn tenant() -> BoxedStrategy<String> {
    let plain = proptest::strategy::Just(String::from("acme")).boxed();
    Union::new_weighted(vec![(2, plain), (1, cycle(TENANTS).prop_map(String::from).boxed())]).boxed()
}

/// Two tenants that differ.
pub(crate) fn two_tenants() -> BoxedStrategy<[String; 2]> {
    let pairs: Vec<[&str; 2]> = TENANTS
        .iter()
        .flat_map(|one| TENANTS.iter().map(move |other| [*one, *other]))
        .filter(|[one, other]| one != other)
        .collect();
    // Neighbours in the table are the hardest, and come first.
    let neighbours = TENANTS.iter().zip(TENANTS.iter().skip(1)).map(|(one, other)| [*one, *other]);
    let all: Vec<[&str; 2]> = neighbours.chain(pairs).collect();
    cycle(&all).prop_map(|pair| pair.map(String::from)).boxed()
}

/// Any epoch, near the ends of buckets more often than elsewhere.
pub(crate) fn epoch(bucket_seconds: u64) -> BoxedStrategy<u64> {
    let anywhere = (0..MILLISECONDS_FROM).boxed();
    let usual = (0..2_000_000_000_u64).boxed();
    let Some(buckets) = MILLISECONDS_FROM.checked_div(bucket_seconds) else {
        return Union::new(vec![usual, anywhere]).boxed();
    };
    let near_end = (0..buckets.max(1), 0_u64..4)
        .prop_map(move |(bucket, near)| {
            (bucket * bucket_seconds + near).saturating_sub(2).min(MILLISECONDS_FROM - 1)
        })
        .boxed();
    Union::new(vec![usual, near_end, anywhere]).boxed()
}
