//! Intents that cover a policy: each field in several spellings and values, each refusal, each edge.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use intentkey_core::{Policy, Scope};
use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use super::Settings;
use crate::generate::fault::faults;
use crate::generate::field::Relation;
use crate::generate::intent::{Frame, Intent};
use crate::generate::json::{Json, Text};
use crate::generate::pair::{Pair, Side};
use crate::generate::payload::{Payloads, Relations};
use crate::generate::pick::Picks;
use crate::policy_json;

/// Draws for each field and case, at most: the hard values come in turns.
const DRAWS: u32 = 24;

/// Refusals of one code at one field, at most.
const REFUSALS: usize = 3;

/// Sound intents of which one part after the other is made wrong.
const SPOILED: u32 = 240;

/// Intents with every way to be refused around them.
const EDGES_AT: u64 = 1_767_225_600;

/// When the secrets of the ring begin: an intent before the first has none, and the second begins
/// within a bucket, which it therefore does not touch.
const FIRST_SECRET: u64 = 946_684_800;

/// Whose intents have their edges looked at; and another tenant, whose secret is not held where only
/// this one's is.
const TENANT: &str = "acme";
const OTHER_TENANT: &str = "globex";

/// More values than a payload may have.
const TOO_MANY: usize = 65_537;

/// An intent that a vector is made of.
pub(super) struct Case {
    /// What it is there for.
    pub(super) kind: &'static str,
    /// The intent as JSON text.
    pub(super) text: String,
    /// Whether it is of interest under other keyrings, and under policies over time, too.
    pub(super) rotates: bool,
}

type Drawn = (Pair, Frame, Picks);

/// All of them, each text once.
pub(super) fn intents(policy: &Policy, settings: &Settings) -> Vec<Case> {
    let payloads = Rc::new(Payloads::of(policy));
    let mut cases = Vec::new();
    let equal = Relations { identity: Relation::Equal, checked: Relation::Equal, free_differs: true };
    let different =
        Relations { identity: Relation::Different, checked: Relation::Different, free_differs: false };
    for (kind, relations) in [("spelling", equal), ("value", different)] {
        let strategy = (payloads.pairs(relations), Frame::any(policy), Picks::any()).boxed();
        leaves(policy, kind, &strategy, settings, &mut cases);
    }
    edges(policy, &payloads, settings, &mut cases);
    let strategy = (payloads.pairs(Relations::SAME), Frame::any(policy), Picks::any()).boxed();
    refusals(&payloads, &strategy, settings, &mut cases);
    let mut seen = BTreeSet::new();
    cases.retain(|case| seen.insert(case.text.clone()));
    cases
}

/// The keyrings under which intents are of interest: two secrets, the second beginning within a
/// bucket, where there are buckets; and the secret of one tenant, where tenants have their own.
pub(super) fn keyrings(policy: &Policy) -> Vec<(&'static str, String)> {
    let secret = |byte: &str| byte.repeat(32);
    let mut all = Vec::new();
    let width = policy.bucket_seconds();
    // One bucket for all time takes one secret.
    if let Some(buckets) = EDGES_AT.checked_div(width) {
        let second = buckets * width + width / 2;
        let ring = json!([
            { "id": "first", "from_epoch": FIRST_SECRET, "secret_hex": secret("01") },
            { "id": "second", "from_epoch": second, "secret_hex": secret("02") },
        ]);
        all.push(("ring", ring.to_string()));
    }
    if policy.scope() == Scope::Tenant {
        let ring = json!([
            { "id": "own", "from_epoch": 0, "tenant": TENANT, "tenant_secret_hex": secret("03") },
        ]);
        all.push(("tenant", ring.to_string()));
    }
    all
}

/// The policy from a date on, and with buckets of twice the width from a later one on; `None` where
/// one bucket is for all time, which any date cuts.
pub(super) fn over_time(policy: &Policy) -> Option<Value> {
    let width = policy.bucket_seconds();
    let first = FIRST_SECRET.checked_div(width)?.checked_mul(width)?;
    let wide = width.checked_mul(2)?;
    let second = EDGES_AT.checked_div(wide)?.checked_mul(wide)?;
    let own = policy_json::write(policy);
    let mut wider = own.clone();
    wider.as_object_mut()?.insert(String::from("bucket_seconds"), wide.into());
    Some(json!([
        { "from_epoch": first, "policy": own },
        { "from_epoch": second, "policy": wider },
    ]))
}

fn runner(settings: &Settings) -> TestRunner {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(settings.seed.to_le_bytes()).for_each(|(byte, from)| *byte = from);
    let config = Config { failure_persistence: None, source_file: None, verbose: 0, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn draw(strategy: &BoxedStrategy<Drawn>, runner: &mut TestRunner) -> Option<Drawn> {
    strategy.new_tree(runner).ok().map(|tree| tree.current())
}

/// For each field, intents that differ in it alone.
fn leaves(
    policy: &Policy,
    kind: &'static str,
    strategy: &BoxedStrategy<Drawn>,
    settings: &Settings,
    cases: &mut Vec<Case>,
) {
    let mut runner = runner(settings);
    let mut wanted: BTreeMap<usize, u32> =
        (0..policy.fields().len()).map(|field| (field, settings.cases)).collect();
    let draws = DRAWS.saturating_mul(settings.cases).saturating_mul(wanted.len() as u32);
    for _ in 0..draws {
        if wanted.values().all(|&wanted| wanted == 0) {
            return;
        }
        let Some((pair, frame, _)) = draw(strategy, &mut runner) else { return };
        let mut is_used = false;
        for (number, leaf) in pair.leaves().into_iter().enumerate() {
            let Some(wanted) = wanted.get_mut(&leaf.field).filter(|wanted| **wanted > 0) else { continue };
            if leaf.values[0] == leaf.values[1] && kind == "value" {
                continue;
            }
            *wanted -= 1;
            is_used = true;
            cases.push(sound(kind, &frame.around(pair.with_leaf(number))));
        }
        if is_used {
            cases.push(sound(kind, &frame.around(pair.side(Side::One))));
            cases.push(sound(kind, &frame.around(pair.side(Side::Other))));
        }
    }
}

fn sound(kind: &'static str, intent: &Intent) -> Case {
    Case { kind, text: intent.text(), rotates: false }
}

/// One payload at each second at which something begins or ends.
fn edges(policy: &Policy, payloads: &Rc<Payloads>, settings: &Settings, cases: &mut Vec<Case>) {
    let strategy = (payloads.pairs(Relations::SAME), Frame::any(policy), Picks::any()).boxed();
    let Some((pair, ..)) = draw(&strategy, &mut runner(settings)) else { return };
    let (width, edge) = (policy.bucket_seconds(), policy.edge_seconds());
    let start = EDGES_AT.checked_div(width).unwrap_or(0).saturating_mul(width);
    let offsets = [
        0,
        1,
        edge.saturating_sub(1),
        edge,
        width / 2,
        width.saturating_sub(edge + 1),
        width.saturating_sub(edge),
        width.saturating_sub(1),
        width,
    ];
    let mut epochs: BTreeSet<u64> = offsets.into_iter().map(|offset| start.saturating_add(offset)).collect();
    epochs.extend([0, edge.saturating_sub(1), width.saturating_sub(1), 99_999_999_999]);
    epochs.extend([FIRST_SECRET - 1, FIRST_SECRET, FIRST_SECRET.saturating_add(width)]);
    let case = |kind, tenant: &str, action: &str, epoch| {
        let frame = Frame { tenant: tenant.to_owned(), action: action.to_owned(), epoch };
        Case { kind, text: frame.around(pair.side(Side::One)).text(), rotates: true }
    };
    for action in policy.actions() {
        cases.extend(epochs.iter().map(|&epoch| case("bucket", TENANT, action, epoch)));
        cases.push(case("tenant", OTHER_TENANT, action, EDGES_AT));
    }
}

/// Intents with one thing wrong: of each code at each field a few.
fn refusals(
    payloads: &Payloads,
    strategy: &BoxedStrategy<Drawn>,
    settings: &Settings,
    cases: &mut Vec<Case>,
) {
    let mut runner = runner(settings);
    let mut met: BTreeMap<(&'static str, String), usize> = BTreeMap::new();
    for number in 0..SPOILED {
        let Some((pair, frame, picks)) = draw(strategy, &mut runner) else { return };
        let intent = frame.around(pair.side(Side::One));
        if number == 0 {
            cases.push(Case { kind: "refusal", text: too_large(&intent), rotates: false });
        }
        for fault in faults(payloads, &intent, &picks) {
            let field: String =
                fault.field.iter().flat_map(|field| field.chars()).filter(|c| !c.is_ascii_digit()).collect();
            let count = met.entry((fault.code, field)).or_default();
            *count += 1;
            if *count <= REFUSALS {
                cases.push(Case { kind: "refusal", text: fault.text, rotates: false });
            }
        }
    }
}

fn too_large(intent: &Intent) -> String {
    let value = Json::literal(format!("[{}0]", "0,".repeat(TOO_MANY - 1)));
    let Json::Object(members) = &intent.payload else { return intent.text() };
    let more = (Text::Plain(String::from("undeclared")), value);
    let payload = Json::Object(members.iter().cloned().chain([more]).collect());
    Intent { payload, ..intent.clone() }.text()
}
