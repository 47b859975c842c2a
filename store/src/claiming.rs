//! Claiming: what decides who owns an effect.

use intentkey_core::Key;
use intentkey_core::protocol::{
    Answer, Event, Schedule, State, Status, Time, claim_event, retry_after, transition,
};

use crate::claim::{Claim, Claimed, Owned, Target};
use crate::error::{Result, StoreError};
use crate::options::Options;
use crate::response::Stored;
use crate::row::Row;
use crate::rows::{Entry, Inserted, New, Reading, Rows, Write};
use crate::token::Token;

/// How often a claim starts again when others change the row between its steps.
const TURNS: usize = 16;

/// What a claim came to, before the response is opened.
pub(crate) enum Outcome {
    Owned(Owned),
    Replay { key: Key, stored: Stored },
    Other(Claimed),
}

/// Claims on a connection.
///
/// 1. The row is inserted. Where that succeeds the effect is ours: the unique index has decided.
/// 2. Where it does not, what is there is read without a lock and judged. Most repeats end here.
/// 3. Where the judgement asks for a write, the row is locked and judged again.
/// 4. Where the row has gone meanwhile, everything begins again, now with the careful insertion.
pub(crate) async fn claim<R: Rows>(
    rows: &mut R,
    claim: &Claim,
    token: Token,
    options: &Options,
) -> Result<Outcome> {
    let (terms, execution) = (claim.target.terms, claim.target.execution);
    let start = Time::from_millis(0);
    let first_look = options.schedule.first_look(terms, start, start + execution, execution).since(start);
    let new = New { claim, token, first_look, schedule: options.schedule };
    let edge = claim.edge.as_ref().map(|(key, _)| key);
    for turn in 0..TURNS {
        if let Inserted::Ours { execute_by, at, has_waited } = rows.insert(&new, turn > 0).await? {
            if !has_waited {
                return Ok(Outcome::Owned(Owned::new(claim.key, token, execute_by, at)));
            }
            match rows.change(&claim.key, |row, at| renew(row, at, &new)).await? {
                Some(Some(owned)) => return Ok(Outcome::Owned(owned)),
                _ => continue,
            }
        }
        let found = rows.find(&claim.key, edge).await?;
        let Some(mut entry) = found.entry else {
            match claim_event(None, claim.validity.timing(found.at.now, claim.ttl)) {
                Event::ClaimTooLate => return Ok(Outcome::Other(Claimed::TooLate)),
                Event::ClaimTooEarly => return Ok(Outcome::Other(Claimed::TooEarly)),
                _ => continue,
            }
        };
        let same_intent = is_same(claim, &entry);
        let (key, created_at, fingerprint) = (entry.row.key, entry.row.created_at, entry.row.fingerprint);
        let (outcome, write) = judge(&mut entry.row, found.at, &new, same_intent);
        let outcome = match write {
            Write::No => Some(outcome),
            _ => {
                let judged = rows.change(&key, |row, at| {
                    // Swept meanwhile, and taken by somebody else: what was compared was another row's.
                    if row.created_at != created_at || row.fingerprint != fingerprint {
                        return (None, Write::No);
                    }
                    let (outcome, write) = judge(row, at, &new, same_intent);
                    (Some(outcome), write)
                });
                judged.await?.flatten()
            }
        };
        if let Some(outcome) = outcome {
            if key != claim.key && matches!(outcome, Outcome::Replay { .. }) {
                // What was recorded under the claim's own key is done under the row's.
                rows.forget(claim).await?;
            }
            return Ok(outcome);
        }
    }
    Err(StoreError::Contended)
}

/// Whether what is found has the claim's tenant, and the fingerprint of the key that found it.
fn is_same(claim: &Claim, entry: &Entry) -> bool {
    // Under the edge key the fingerprint is made with the secret of the edge's bucket, on both sides.
    let is_known = match &claim.edge {
        Some((key, fingerprint)) if entry.key == *key => entry.fingerprint == *fingerprint,
        _ => entry.fingerprint == claim.fingerprint || claim.former.contains(&entry.fingerprint),
    };
    entry.tenant == claim.tenant && is_known
}

/// Gives an insertion that waited its whole time to execute.
pub(crate) fn renew(row: &mut Row, at: Reading, new: &New<'_>) -> (Option<Owned>, Write) {
    if row.token != new.token || row.status != Status::InFlight {
        return (None, Write::No);
    }
    own(row, at.now, new.token, &new.claim.target, new.schedule);
    (Some(Owned::of(row, at)), Write::Yes)
}

/// Judges a repeat by the protocol's table, and changes the row as the table says.
fn judge(row: &mut Row, at: Reading, new: &New<'_>, same_intent: bool) -> (Outcome, Write) {
    let (New { claim, token, .. }, now) = (new, at.now);
    let token = *token;
    let (terms, execution) = (row.judged_by(claim.target.terms), claim.target.execution);
    let held = row.held(same_intent, token, &claim.target.name);
    let state = held.state(terms, now, execution);
    let event = claim_event(Some(&held), claim.validity.timing(now, claim.ttl));
    let transition = transition(event, state);
    if transition.answer == Answer::Conflict {
        return (Outcome::Other(Claimed::PayloadConflict), Write::No);
    }
    let mut write = Write::No;
    if let Some(expires_at) = claim.validity.moved_on(row.expires_at, now, claim.ttl) {
        row.expires_at = expires_at;
        write = Write::Yes;
    }
    if let Some(status) = transition.becomes {
        row.status = status;
        write = Write::Yes;
    }
    let outcome = match transition.answer {
        Answer::Execute => {
            take_over(row, state, now, token, &claim.target, new.schedule);
            Outcome::Owned(Owned::of(row, at))
        }
        Answer::Owned => Outcome::Owned(Owned::of(row, at)),
        Answer::Replay => match row.response.clone() {
            Some(stored) => Outcome::Replay { key: row.key, stored },
            // No row that is read is done without a response.
            None => Outcome::Other(Claimed::Unsettled),
        },
        Answer::Unsettled => Outcome::Other(Claimed::Unsettled),
        _ => Outcome::Other(Claimed::InFlight { retry_after: retry_after(waits_until(row, now), now) }),
    };
    (outcome, write)
}

/// Until when nothing can come of a row in flight but a settlement.
fn waits_until(row: &Row, now: Time) -> Time {
    if now < row.execute_by { row.execute_by } else { row.next_look_at }
}

/// Hands the row from one owner to the next, who has `token`.
pub(crate) fn take_over(
    row: &mut Row,
    from: State,
    now: Time,
    token: Token,
    target: &Target,
    schedule: Schedule,
) {
    if from == State::Released {
        // Nothing has happened yet, so what the destination remembers begins anew.
        row.claimed_at = now;
        row.uncertain = false;
        // A repeat may be sent elsewhere than the first attempt was.
        row.destination.clone_from(&target.name);
        row.terms = Some(target.terms);
    } else {
        row.terms = Some(row.judged_by(target.terms));
        // The owner before may have executed.
        row.uncertain |= row.token != token;
    }
    row.recovery_attempts = 0;
    own(row, now, token, target, schedule);
}

fn own(row: &mut Row, now: Time, token: Token, target: &Target, schedule: Schedule) {
    row.token = token;
    row.execute_by = now + target.execution;
    let terms = row.judged_by(target.terms);
    row.next_look_at = schedule.first_look(terms, row.claimed_at, row.execute_by, target.execution);
}
