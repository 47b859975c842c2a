//! Faults of an intent around its payload.

use intentkey_core::Policy;

use super::Fault;
use crate::generate::intent::{Intent, MILLISECONDS_FROM};
use crate::generate::json::{Json, Text};
use crate::generate::pick::Picks;

/// Epochs that are none.
const NO_EPOCHS: &[&str] =
    &["-1", "0.5", "\"1767225600\"", "null", "true", "[]", "{}", "-0.5", "1.5e0", "\"2026-01-01\""];

pub(super) fn faults(policy: &Policy, intent: &Intent, picks: &Picks) -> Vec<Fault> {
    let mut faults = vec![empty_tenant(intent), milliseconds(intent, picks)];
    faults.extend(no_epoch(intent, picks));
    faults.extend(unknown_action(policy, intent, picks));
    faults.extend(payload_not_object(intent, picks));
    faults.extend(missing_member(intent, picks));
    faults.extend(repeated_member(intent, picks));
    faults.extend(unknown_member(intent, picks));
    faults.extend(no_text(intent, picks));
    faults
}

fn of_intent(what: &str, intent: &Intent, code: &'static str) -> Fault {
    Fault::of_text(what, intent.text(), code)
}

/// The intent with one of its members changed.
fn with_member(intent: &Intent, name: &str, value: Json) -> String {
    let members = intent.members().into_iter();
    let changed = members.map(|(own, old)| if own.is(name) { (own, value.clone()) } else { (own, old) });
    Json::Object(changed.collect()).compact()
}

fn empty_tenant(intent: &Intent) -> Fault {
    of_intent("an empty tenant", &Intent { tenant: String::new(), ..intent.clone() }, "tenant_empty")
}

fn milliseconds(intent: &Intent, picks: &Picks) -> Fault {
    let epochs = [MILLISECONDS_FROM, 1_767_225_600_000, u64::MAX];
    let epoch = picks.among(&epochs).copied().unwrap_or(MILLISECONDS_FROM);
    of_intent("an epoch in milliseconds", &Intent { epoch, ..intent.clone() }, "epoch_in_milliseconds")
}

fn no_epoch(intent: &Intent, picks: &Picks) -> Option<Fault> {
    let epoch = Json::literal(*picks.among(NO_EPOCHS)?);
    Some(Fault::of_text("no epoch", with_member(intent, "intent_epoch", epoch), "epoch_invalid"))
}

fn unknown_action(policy: &Policy, intent: &Intent, picks: &Picks) -> Option<Fault> {
    let own = &intent.action;
    let mut actions = vec![
        String::new(),
        format!("{own} "),
        format!(" {own}"),
        own.to_uppercase(),
        format!("{own}\u{0}"),
        String::from("undeclared"),
        own.chars().skip(1).collect(),
    ];
    actions.retain(|action| policy.actions().all(|known| known != action));
    let action = picks.among(&actions)?.clone();
    Some(of_intent(
        "an action that the policy does not have",
        &Intent { action, ..intent.clone() },
        "action_unknown",
    ))
}

fn payload_not_object(intent: &Intent, picks: &Picks) -> Option<Fault> {
    let payload = Json::literal(*picks.among(&["null", "[]", "\"x\"", "1", "[{}]", "false", "\"{}\""])?);
    Some(Fault::of_text(
        "a payload that is no object",
        with_member(intent, "payload", payload),
        "payload_not_object",
    ))
}

fn missing_member(intent: &Intent, picks: &Picks) -> Option<Fault> {
    let name = *picks.among(&["tenant", "action", "intent_epoch", "payload"])?;
    let members = intent.members().into_iter().filter(|member| !member.0.is(name)).collect();
    let text = Json::Object(members).compact();
    Some(Fault::of_text(format!("no {name}"), text, "intent_invalid").at(name))
}

fn repeated_member(intent: &Intent, picks: &Picks) -> Option<Fault> {
    let mut members = intent.members();
    let (name, value) = picks.among(&members)?.clone();
    let Text::Plain(field) = &name else { return None };
    let fault = format!("{field} twice");
    let field = field.clone();
    members.push((name, value));
    Some(Fault::of_text(fault, Json::Object(members).compact(), "intent_invalid").at(&field))
}

fn unknown_member(intent: &Intent, picks: &Picks) -> Option<Fault> {
    let name = *picks.among(&["id", "Tenant", "epoch", "payload ", "__proto__"])?;
    let mut members = intent.members();
    members.insert(picks.below(members.len()), (Text::Plain(name.to_owned()), Json::literal("1")));
    let text = Json::Object(members).compact();
    Some(Fault::of_text("a member that intents do not have", text, "intent_invalid").at(name))
}

fn no_text(intent: &Intent, picks: &Picks) -> Option<Fault> {
    let name = *picks.among(&["tenant", "action"])?;
    let value =
        Json::literal(*picks.among(&["1", "null", "[]", "{}", "true", "\"\\ud83d\"", "\"a\\udc00b\""])?);
    Some(
        Fault::of_text(format!("{name} is no text"), with_member(intent, name, value), "intent_invalid")
            .at(name),
    )
}
