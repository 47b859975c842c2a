//! New intents from one that derives: other values, other shapes, other spellings, and each fault
//! that an intent can have.

use std::collections::BTreeMap;

use super::raw;
use super::spellings::{BROKEN_NAMES, DECIMAL_TEXT, FORMS, HOSTILE_TEXT, NAMES, NUMBERS, OTHER_KINDS};
use crate::json::Json;
use crate::random::Random;

/// The scalars that stand beside each name, in all intents of one policy.
#[derive(Default)]
pub(super) struct Pool(BTreeMap<String, Vec<String>>);

impl Pool {
    pub(super) fn add(&mut self, intent: &Json) {
        intent.each_leaf("", &mut |name, token| {
            self.0.entry(name.to_owned()).or_default().push(token.to_owned());
        });
    }
}

/// An intent that was made.
pub(super) struct Draft {
    pub(super) how: &'static str,
    pub(super) text: String,
    pub(super) as_object: bool,
}

type Change = fn(&mut Json, &Pool, &mut Random);

/// What is done to an intent. Each leaves what a runtime that parsed the text sees too.
const CHANGES: [(&str, Change); 11] = [
    ("values", values),
    ("values", values),
    ("hostile", hostile),
    ("hostile", hostile),
    ("kinds", kinds),
    ("absent", absent),
    ("unclassified", unclassified),
    ("names", broken_names),
    ("deep", deep),
    ("epoch", epoch),
    ("head", head),
];

/// What only text can show.
const TEXT_CHANGES: [(&str, Change); 2] = [("duplicate", duplicate), ("members", members)];

/// Makes one intent.
pub(super) fn draft(base: &Json, pool: &Pool, random: &mut Random) -> Draft {
    let mut intent = base.clone();
    if random.once_in(12) {
        let broken = raw::broken(&intent.compact(), random);
        return Draft { how: "raw", text: broken, as_object: false };
    }
    let as_object = !random.once_in(10);
    let (how, change) = if as_object { random.pick(&CHANGES) } else { random.pick(&TEXT_CHANGES) };
    change(&mut intent, pool, random);
    if how != "members" && random.once_in(4) {
        values(&mut intent, pool, random);
    }
    shuffle(&mut intent, random);
    let text = if random.once_in(2) { intent.disguised(random) } else { intent.compact() };
    Draft { how, text, as_object }
}

fn payload(intent: &mut Json) -> &mut Json {
    intent.member("payload").unwrap_or_else(|| panic!("an intent has a payload"))
}

/// Any value of the payload, the payload itself only where `also_root`.
fn somewhere<'j>(intent: &'j mut Json, also_root: bool, random: &mut Random) -> &'j mut Json {
    let payload = payload(intent);
    let first = usize::from(!also_root && payload.count() > 1);
    let mut at = first + random.below(payload.count() - first);
    payload.nth(&mut at).unwrap_or_else(|| panic!("there are as many values as were counted"))
}

/// Leaves take the values of other intents at the same name.
fn values(intent: &mut Json, pool: &Pool, random: &mut Random) {
    swap(payload(intent), "", pool, random);
}

fn swap(value: &mut Json, name: &str, pool: &Pool, random: &mut Random) {
    match value {
        Json::Token(token) => {
            if let Some(others) = pool.0.get(name)
                && random.once_in(2)
            {
                token.clone_from(&others[random.below(others.len())]);
            }
        }
        Json::List(items) => items.iter_mut().for_each(|item| swap(item, name, pool, random)),
        Json::Object(members) => members.iter_mut().for_each(|(name, value)| swap(value, name, pool, random)),
    }
}

/// Leaves take values that readers and tables disagree on.
fn hostile(intent: &mut Json, _: &Pool, random: &mut Random) {
    for _ in 0..=random.below(2) {
        let tokens = random.pick(&[HOSTILE_TEXT, HOSTILE_TEXT, NUMBERS, DECIMAL_TEXT, FORMS, FORMS]);
        let token = Json::token(random.pick(tokens));
        let value = somewhere(intent, false, random);
        if matches!(value, Json::Token(_)) {
            *value = token;
        }
    }
}

/// A value of another kind, the payload itself included.
fn kinds(intent: &mut Json, _: &Pool, random: &mut Random) {
    let text = if random.once_in(4) { random.pick(NUMBERS) } else { random.pick(OTHER_KINDS) };
    let Some(other) = Json::read(text) else { return };
    *somewhere(intent, random.once_in(6), random) = other;
}

fn absent(intent: &mut Json, _: &Pool, random: &mut Random) {
    for _ in 0..=random.below(3) {
        match somewhere(intent, true, random) {
            Json::Object(members) if !members.is_empty() => drop(members.remove(random.below(members.len()))),
            Json::List(items) if !items.is_empty() => drop(items.remove(random.below(items.len()))),
            _ => {}
        }
    }
}

fn unclassified(intent: &mut Json, _: &Pool, random: &mut Random) {
    for _ in 0..=random.below(20) {
        let (name, value) = (random.pick(NAMES).to_owned(), Json::read(random.pick(OTHER_KINDS)));
        if let Json::Object(members) = somewhere(intent, true, random)
            && members.iter().all(|(held, _)| *held != name)
        {
            members.push((name, value.unwrap_or(Json::List(Vec::new()))));
        }
    }
}

fn broken_names(intent: &mut Json, _: &Pool, random: &mut Random) {
    let name = random.pick(BROKEN_NAMES).to_owned();
    let value = somewhere(intent, true, random);
    match value {
        Json::Object(members) => members.insert(random.below(members.len() + 1), (name, Json::token("1"))),
        _ => *value = Json::Object(vec![(name, Json::token("1"))]),
    }
}

/// Levels at and around the limit.
fn deep(intent: &mut Json, _: &Pool, random: &mut Random) {
    let levels = random.pick(&[2, 62, 63, 64, 65, 200]);
    let value = somewhere(intent, false, random);
    for level in 0..levels {
        let inner = std::mem::replace(value, Json::token("null"));
        *value = if level % 2 == 0 {
            Json::List(vec![inner])
        } else {
            Json::Object(vec![("\"a\"".to_owned(), inner)])
        };
    }
}

fn epoch(intent: &mut Json, _: &Pool, random: &mut Random) {
    const EPOCHS: &[&str] = &[
        "0",
        "-0",
        "-1",
        "1",
        "59",
        "60",
        "899",
        "900",
        "901",
        "1735689599",
        "1735689600",
        "1704067199",
        "1704067200",
        "1703980799",
        "1e9",
        "1.5",
        "1735689600.0",
        "99999999999",
        "100000000000",
        "1735689600000",
        "1e300",
        "1e400",
        "\"1735689600\"",
        "null",
        "true",
        "[]",
        "9007199254740993",
        "0.1",
        "1735689619",
        "1735689580",
        "1735690020",
    ];
    let token = Json::token(random.pick(EPOCHS));
    intent.member("intent_epoch").into_iter().for_each(|epoch| *epoch = token.clone());
}

/// Another tenant, another action.
fn head(intent: &mut Json, _: &Pool, random: &mut Random) {
    let tokens = random.pick(&[HOSTILE_TEXT, &["\"\"", "1", "null", "{}", "[\"acme\"]", "true"]]);
    let token = Json::token(random.pick(tokens));
    let name = random.pick(&["tenant", "tenant", "action"]);
    intent.member(name).into_iter().for_each(|value| *value = token.clone());
}

fn duplicate(intent: &mut Json, _: &Pool, random: &mut Random) {
    let value = somewhere(intent, true, random);
    if let Json::Object(members) = value
        && !members.is_empty()
    {
        let mut again = members[random.below(members.len())].clone();
        if random.once_in(2) {
            again.1 = Json::token("null");
        }
        members.insert(random.below(members.len() + 1), again);
    } else {
        let name = random.pick(NAMES).to_owned();
        *value = Json::Object(vec![(name.clone(), Json::token("1")), (name, Json::token("1"))]);
    }
}

/// The members of an intent: one missing, one twice, one unknown, one in another spelling.
fn members(intent: &mut Json, _: &Pool, random: &mut Random) {
    let Json::Object(members) = intent else { return };
    let at = random.below(members.len());
    match random.below(4) {
        0 => drop(members.remove(at)),
        1 => members.push(members[at].clone()),
        2 => {
            let name =
                random.pick(&["\"idempotency_key\"", "\"Tenant\"", "\"\"", "\"__proto__\"", "\"\\ud800\""]);
            members.push((name.to_owned(), Json::token("1")));
        }
        _ => members[at].0 = random.pick(&["\"intentEpoch\"", "\"TENANT\"", "\"payload \""]).to_owned(),
    }
}

fn shuffle(value: &mut Json, random: &mut Random) {
    match value {
        Json::Token(_) => {}
        Json::List(items) => items.iter_mut().for_each(|item| shuffle(item, random)),
        Json::Object(members) => {
            members.iter_mut().for_each(|(_, value)| shuffle(value, random));
            random.shuffle(members);
        }
    }
}
