use super::*;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// In flight at or after `execute_by`.
const OVERDUE: &[State] =
    &[State::OverdueRepeatable, State::OverdueLookUp, State::OverdueUnknowable, State::OverdueElsewhere];

/// The table in Markdown, as the module's documentation has it.
fn rendered() -> String {
    let mut table = String::from("| event | stored | answer | becomes |\n| --- | --- | --- | --- |\n");
    for row in TRANSITIONS {
        let becomes = row.becomes.map_or("", Status::as_str);
        let events = words(row.events, Event::ALL, (CLAIMS, "claim, whenever"));
        let states = words(row.states, State::ALL, (OVERDUE, "overdue"));
        table.push_str(&format!("| {events} | {states} | {} | {becomes} |\n", row.answer));
    }
    table
}

/// Words with semicolons between them; those of `group` have a name when they are all there.
fn words<T: fmt::Display + PartialEq>(some: &[T], all: &[T], (group, name): (&[T], &str)) -> String {
    if some.len() == all.len() {
        return String::from("any");
    }
    let is_grouped = |word: &T| group.contains(word) && group.iter().all(|member| some.contains(member));
    let mut words: Vec<String> = Vec::new();
    for word in some {
        let word = if is_grouped(word) { String::from(name) } else { format!("{word}") };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join("; ")
}

#[test]
fn the_documentation_shows_the_table() {
    let source = include_str!("../mod.rs");
    let shown: String = source
        .lines()
        .filter_map(|line| line.strip_prefix("//! |"))
        .map(|line| format!("|{line}\n"))
        .collect();
    assert_eq!(shown, rendered());
}

#[test]
fn every_event_meets_every_state_in_exactly_one_row() {
    for &event in Event::ALL {
        for &state in State::ALL {
            let rows = TRANSITIONS
                .iter()
                .filter(|row| row.events.contains(&event) && row.states.contains(&state))
                .count();
            assert_eq!(rows, 1, "{event} at {state}");
        }
    }
}

fn leading_to(answer: Answer) -> BTreeSet<(Event, State)> {
    let all = Event::ALL.iter().flat_map(|event| State::ALL.iter().map(move |state| (*event, *state)));
    all.filter(|(event, state)| transition(*event, *state).answer == answer).collect()
}

/// Everything that lets somebody execute. Each is safe for a reason of its own.
#[test]
fn only_these_execute() {
    let expected = [
        // Nobody has executed.
        (Event::Claim, State::Nothing),
        (Event::ClaimOwn, State::Nothing),
        // It is known that it did not happen.
        (Event::Claim, State::Released),
        (Event::ClaimTooLate, State::Released),
        (Event::ClaimTooEarly, State::Released),
        (Event::ClaimOwn, State::Released),
        // The destination takes the same key once only.
        (Event::Claim, State::OverdueRepeatable),
        (Event::ClaimTooLate, State::OverdueRepeatable),
        (Event::ClaimTooEarly, State::OverdueRepeatable),
        (Event::Recover, State::OverdueRepeatable),
        // The claimant took the row itself and has not executed, since it never got the answer.
        (Event::ClaimOwn, State::OverdueRepeatable),
        (Event::ClaimOwn, State::OverdueLookUp),
        (Event::ClaimOwn, State::OverdueUnknowable),
    ];
    assert_eq!(leading_to(Answer::Execute), expected.into_iter().collect());
}

#[test]
fn whoever_executes_is_in_flight_and_nobody_else_becomes_so() {
    for row in TRANSITIONS {
        assert_eq!(row.answer == Answer::Execute, row.becomes == Some(Status::InFlight), "{row:?}");
    }
}

#[test]
fn only_what_is_done_is_replayed_or_deleted() {
    assert!(leading_to(Answer::Replay).iter().all(|(_, state)| *state == State::Done));
    assert_eq!(leading_to(Answer::Delete), [(Event::Sweep, State::Done)].into_iter().collect());
}

#[test]
fn what_is_done_stays_done() {
    for &event in Event::ALL {
        assert_eq!(transition(event, State::Done).becomes, None, "{event}");
    }
}

/// The situations of the design's table of answers.
#[test]
fn repeats_are_answered_as_published() {
    for (event, state, answer) in [
        (Event::Claim, State::Nothing, Answer::Execute),
        (Event::Claim, State::Done, Answer::Replay),
        (Event::Claim, State::Running, Answer::InFlight),
        (Event::Claim, State::Released, Answer::Execute),
        (Event::Claim, State::Unsettled, Answer::Unsettled),
        (Event::ClaimTooLate, State::Nothing, Answer::RefuseLate),
        (Event::ClaimTooEarly, State::Nothing, Answer::RefuseEarly),
        (Event::ClaimTooLate, State::Done, Answer::Replay),
    ] {
        assert_eq!(transition(event, state).answer, answer, "{event} at {state}");
    }
    for &state in State::ALL {
        assert_eq!(transition(Event::ClaimOther, state).answer, Answer::Conflict);
    }
}

/// Whatever is unknown is never executed, unless the destination takes a key once only.
#[test]
fn unknown_never_executes() {
    for &event in Event::ALL {
        if event == Event::ClaimOwn {
            continue;
        }
        for state in
            [State::OverdueLookUp, State::OverdueUnknowable, State::OverdueElsewhere, State::Unsettled]
        {
            assert_ne!(transition(event, state).answer, Answer::Execute, "{event} at {state}");
        }
    }
}

#[test]
fn only_the_holder_writes_and_also_late() {
    for &state in State::ALL {
        assert_eq!(transition(Event::SettleStranger, state).answer, Answer::NotOwner);
        let settled = transition(Event::Settle, state);
        match state {
            State::Nothing => assert_eq!(settled.answer, Answer::NotOwner),
            State::Done => assert_eq!(settled.answer, Answer::AlreadySettled),
            _ => assert_eq!((settled.answer, settled.becomes), (Answer::Settled, Some(Status::Done))),
        }
    }
}

#[test]
fn words_are_read_back() {
    for &status in Status::ALL {
        assert_eq!(Status::parse(status.as_str()), Some(status));
    }
    assert_eq!(Status::parse("in flight"), None);
}

#[test]
#[ignore = "prints the table for the documentation: cargo test -p intentkey-core print_the_table -- --ignored --nocapture"]
fn print_the_table() {
    extern crate std;
    for line in rendered().lines() {
        std::println!("//! {line}");
    }
}
