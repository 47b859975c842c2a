//! A proposal, written down.

use std::fmt::Write as _;

use super::fields::Fields;
use super::guess::{Guess, Section, guess};
use super::{Proposal, contradictions};
use crate::field_path::{toml_key, toml_text};
use crate::policy_file;

/// The width of buckets that is proposed: a quarter of an hour.
const BUCKET_SECONDS: u32 = 900;

/// From which column the reasons stand.
const REASONS_AT: usize = 60;

pub(super) fn proposal(name: &str, fields: &Fields) -> Proposal {
    let clashing = contradictions(fields);
    let guesses: Vec<(&String, Guess)> = fields
        .fields
        .iter()
        .map(|(path, seen)| {
            let mut guess = guess(path, seen, fields);
            if clashing.contains(path) {
                guess.is_sure = false;
                guess.reason =
                    String::from("a value in some samples, and an object or list in others: which is it?");
            }
            (path, guess)
        })
        .collect();
    let named = |is_sure: bool| {
        guesses
            .iter()
            .filter(|(_, guess)| guess.is_sure == is_sure)
            .map(|(path, _)| (*path).clone())
            .collect()
    };
    let (decided, undecided): (Vec<String>, Vec<String>) = (named(true), named(false));
    let text = written(name, fields, &guesses, undecided.len());
    let refusal = policy_file::from_toml(&text).err();
    Proposal { text, decided, undecided, refusal, samples: fields.samples, broken: fields.broken }
}

fn written(name: &str, fields: &Fields, guesses: &[(&String, Guess)], undecided: usize) -> String {
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = write_head(name, fields, undecided, &mut out);
    for (section, title, what) in [
        (Section::Identity, "identity", "what the action is: in the key"),
        (
            Section::Checked,
            "checked",
            "must not change between attempts: same key, other value is a conflict",
        ),
        (Section::Ignored, "ignored", "in neither, with the reason"),
    ] {
        let _ = write_section(
            title,
            what,
            guesses.iter().filter(|(_, guess)| guess.section == section),
            &mut out,
        );
    }
    let _ = write_lists(fields, guesses, &mut out);
    out
}

fn write_head(name: &str, fields: &Fields, undecided: usize, out: &mut String) -> std::fmt::Result {
    let source = match fields.samples {
        0 => String::from("a JSON Schema"),
        1 => String::from("1 sample"),
        samples => format!("{samples} samples"),
    };
    writeln!(
        out,
        "# Proposed by `intentkey init` from {source}. Each line is a guess, with its reason: read them all."
    )?;
    match undecided {
        0 => writeln!(out, "# No field is left to decide.")?,
        1 => writeln!(
            out,
            "# 1 field is left to decide, marked DECIDE. Until then events that have it are refused."
        )?,
        many => writeln!(
            out,
            "# {many} fields are left to decide, marked DECIDE. Until then events that have them are refused."
        )?,
    }
    if fields.has_more {
        let most = fields.fields.len();
        writeln!(out, "# The samples have more than {most} fields: those that came later are not here.")?;
    }
    writeln!(out, "\nname = {}", toml_text(name))?;
    if fields.actions.is_empty() {
        writeln!(out, "# DECIDE: the actions; none is known from the samples.")?;
        writeln!(out, "actions = []")?;
    } else {
        let actions: Vec<String> = fields.actions.iter().map(|action| toml_text(action)).collect();
        writeln!(out, "actions = [{}]  # those that were seen; compared exactly", actions.join(", "))?;
    }
    writeln!(
        out,
        "# How long equal intents are one, in seconds: `intentkey audit` shows what other widths do."
    )?;
    writeln!(out, "bucket_seconds = {BUCKET_SECONDS}")
}

fn write_section<'g>(
    title: &str,
    what: &str,
    guesses: impl Iterator<Item = &'g (&'g String, Guess)>,
    out: &mut String,
) -> std::fmt::Result {
    let mut guesses: Vec<_> = guesses.collect();
    if guesses.is_empty() && title != "identity" {
        return Ok(());
    }
    // What is decided comes first.
    guesses.sort_by_key(|(_, guess)| !guess.is_sure);
    writeln!(out, "\n[{title}]  # {what}")?;
    for (path, Guess { rule, reason, is_sure, .. }) in guesses {
        let line = format!("{} = {rule}", toml_key(path));
        if *is_sure {
            writeln!(out, "{line:<REASONS_AT$}  # {reason}")?;
        } else {
            writeln!(out, "# DECIDE: {reason}")?;
            writeln!(out, "# {line}")?;
        }
    }
    Ok(())
}

fn write_lists(fields: &Fields, guesses: &[(&String, Guess)], out: &mut String) -> std::fmt::Result {
    let is_kept = |list: &&String| {
        let prefix = format!("{list}[]");
        guesses.iter().any(|(path, guess)| guess.section != Section::Ignored && path.starts_with(&prefix))
    };
    let lists: Vec<&String> = fields.lists.iter().filter(is_kept).collect();
    if lists.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n# Where the order of a list does not count, say so:")?;
    writeln!(out, "# [lists]")?;
    for list in lists {
        writeln!(out, "# {} = {{ order = \"any\" }}", toml_key(list))?;
    }
    Ok(())
}
