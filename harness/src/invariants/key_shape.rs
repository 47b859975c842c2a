//! key-shape: a key looks as the policy says, and nothing of a payload or a secret shows anywhere.

use intentkey_core::KeyFormat;
use proptest::strategy::Strategy as _;

use super::counterexample::Counterexample;
use super::{Bench, Verdict};
use crate::generate::fault::faults;
use crate::generate::intent::{Frame, Intent};
use crate::generate::json::{Json, Text};
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::generate::pick::Picks;
use crate::generate::place::{Place, places, with};
use crate::generate::shape::Shape;
use crate::hosts::{Outcome, Ring};

/// What stands nowhere by chance. Of hexadecimal digits, so that it could hide in a key.
const CANARY: &str = "c0ffee5eedfacade0badf00d";

/// The same as a number.
const CANARY_NUMBER: &str = "8273645190827";

/// The fewest characters of a payload's text that is no part of a key by chance.
const LONG_ENOUGH: usize = 12;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let strategy = (bench.payloads.pairs(Relations::SAME), Frame::any(bench.policy()), Picks::any()).boxed();
    bench.run(&strategy, "there is no key", |(pair, frame, picks)| {
        picks.restart();
        let sound = frame.around(pair.side(Side::One));
        let planted = planted(bench, &sound, picks);
        for intent in [&sound, &planted] {
            let text = intent.text();
            let outcome = bench.derive_text(&bench.ring, &text);
            if outcome.is_err() && intent == &sound {
                return Err(bench.refused(&bench.ring, intent));
            }
            let wrong = shape(bench, &outcome).or_else(|| shown_in_key(intent, &outcome));
            if let Some(why) = wrong.or_else(|| shown(bench, &text, &outcome)) {
                let [one, other] = [
                    bench.side("an intent", &bench.ring, &sound),
                    bench.side("with canaries", &bench.ring, intent),
                ];
                return Err(Counterexample::new(why, one, other).boxed());
            }
        }
        for text in refused(bench, &planted, &sound, picks) {
            let outcome = bench.derive_text(&bench.ring, &text);
            if let Some(why) = shown(bench, &text, &outcome) {
                let sound = bench.side_of_text("a sound intent", &bench.ring, &sound.text());
                let faulty = bench.side_of_text("the same with a fault and canaries", &bench.ring, &text);
                return Err(Counterexample::new(why, sound, faulty).boxed());
            }
        }
        Ok(true)
    })
}

/// What is wrong with the form of a key.
fn shape(bench: &Bench<'_>, outcome: &Outcome) -> Option<&'static str> {
    let Ok(derived) = outcome else { return None };
    let keys = std::iter::once(&derived.key).chain(derived.edge.as_ref().map(|edge| &edge.key));
    let mut fingerprints =
        std::iter::once(&derived.fingerprint).chain(derived.edge.as_ref().map(|edge| &edge.fingerprint));
    let shape = bench.policy().key_shape();
    for key in keys {
        let right = match shape.format() {
            KeyFormat::Hex => is_hexadecimal(key),
            KeyFormat::Base64Url => {
                key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            }
            KeyFormat::Uuid => is_uuid(key, '8'),
            KeyFormat::Uuid4 => is_uuid(key, '4'),
            _ => true,
        };
        if !right {
            return Some("a key is not in the policy's alphabet");
        }
        if key.len() != shape.length() {
            return Some("a key does not have the policy's length");
        }
    }
    let right = fingerprints.all(|fingerprint| fingerprint.len() == 64 && is_hexadecimal(fingerprint));
    (!right).then_some("a fingerprint is not 64 lower-case hexadecimal digits")
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_uuid(text: &str, version: char) -> bool {
    text.len() == 36
        && text.chars().enumerate().all(|(index, character)| match index {
            8 | 13 | 18 | 23 => character == '-',
            14 => character == version,
            19 => matches!(character, '8' | '9' | 'a' | 'b'),
            _ => matches!(character, '0'..='9' | 'a'..='f'),
        })
}

/// Whether a text of the intent is a part of the key.
fn shown_in_key(intent: &Intent, outcome: &Outcome) -> Option<&'static str> {
    let Ok(derived) = outcome else { return None };
    let mut texts = vec![intent.tenant.clone(), intent.action.clone()];
    collect_texts(&intent.payload, &mut texts);
    let shows =
        |text: &String| text.chars().count() >= LONG_ENOUGH && derived.key.contains(&text.to_lowercase());
    texts.iter().any(shows).then_some("a text of the intent is a part of the key")
}

fn collect_texts(value: &Json, texts: &mut Vec<String>) {
    match value {
        Json::Text(Text::Plain(text)) => texts.push(text.clone()),
        Json::Text(Text::Escaped(_)) | Json::Literal(_) => {}
        Json::List(elements) => elements.iter().for_each(|element| collect_texts(element, texts)),
        Json::Object(members) => members.iter().for_each(|member| collect_texts(&member.1, texts)),
    }
}

/// What a host shows that it must not.
fn shown(bench: &Bench<'_>, text: &str, outcome: &Outcome) -> Option<&'static str> {
    let said = std::panic::AssertUnwindSafe(|| bench.host().says(&bench.ring, text));
    let said = std::panic::catch_unwind(said).unwrap_or_default();
    let mut all = said.to_lowercase();
    if let Err(refused) = outcome {
        let parts = std::iter::once(&refused.message).chain(&refused.field).chain(&refused.fields);
        parts.for_each(|part| all.push_str(&part.to_lowercase()));
    }
    if all.contains(CANARY) || all.contains(CANARY_NUMBER) {
        return Some("a value of the payload shows in what the host says");
    }
    let Ring::Bare(secret) = &bench.ring else { return None };
    shows_secret(&all, secret).then_some("the secret shows in what the host says")
}

/// Whether a part of the secret shows as text, in hexadecimal or as a list of bytes.
fn shows_secret(lower_case: &str, secret: &[u8]) -> bool {
    const PART: usize = 8;
    secret.windows(PART).step_by(PART).any(|part| {
        let as_text = String::from_utf8_lossy(part).to_lowercase();
        let as_hexadecimal: String = part.iter().map(|byte| format!("{byte:02x}")).collect();
        let as_list = part.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        [as_text, as_hexadecimal, as_list].iter().any(|form| lower_case.contains(form.as_str()))
    })
}

/// The intent with a canary in the tenant and in every value, also where the rule refuses it:
/// then the refusal must not show it.
fn planted(bench: &Bench<'_>, intent: &Intent, picks: &Picks) -> Intent {
    let places = places(bench.payloads.shape(), &intent.payload);
    let payload = places.iter().fold(intent.payload.clone(), |payload, place| {
        let taken = match place.shape {
            Shape::Leaf(index) => bench.payloads.takes_any_text(*index),
            Shape::Ignored => true,
            _ => false,
        };
        if taken { with(&payload, &place.steps, Some(canary(picks))) } else { payload }
    });
    Intent { tenant: format!("tenant {CANARY}"), payload, ..intent.clone() }
}

fn canary(picks: &Picks) -> Json {
    let forms = [CANARY.to_owned(), CANARY.to_uppercase(), format!(" {CANARY}"), format!("\"{CANARY}\\\n")];
    Json::text(picks.among(&forms).cloned().unwrap_or_default())
}

/// Intents that are refused, with canaries in all that they hold.
fn refused(bench: &Bench<'_>, planted: &Intent, sound: &Intent, picks: &Picks) -> Vec<String> {
    let mut texts: Vec<String> = faults(&bench.payloads, planted, picks)
        .into_iter()
        .filter(|fault| fault.fields.is_empty())
        .map(|fault| fault.text)
        .collect();
    let leaf = |place: &&Place<'_>| matches!(place.shape, Shape::Leaf(_));
    let values = [
        canary(picks),
        Json::literal(CANARY_NUMBER),
        Json::literal(format!("{CANARY_NUMBER}{CANARY_NUMBER}")),
        Json::Object(vec![(Text::Plain("a".into()), canary(picks))]),
        Json::List(vec![canary(picks)]),
        Json::Text(Text::Escaped(format!("{CANARY}\\ud83d"))),
    ];
    for place in places(bench.payloads.shape(), &sound.payload).iter().filter(leaf) {
        let value = picks.among(&values).cloned();
        texts.push(Intent { payload: with(&sound.payload, &place.steps, value), ..planted.clone() }.text());
    }
    texts.push(Intent { action: CANARY.to_owned(), ..planted.clone() }.text());
    texts.push(format!("{{\"tenant\":\"{CANARY}\",\"action\":\"{CANARY}\",\"payload\":\"{CANARY}\"}}"));
    texts.push(format!("{{\"tenant\":\"{CANARY}\""));
    texts.push(format!("{CANARY} {}", planted.text()));
    texts
}
