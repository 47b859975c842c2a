//! What operators see: metrics and traces. Of a key they show its first 8 characters, and of payloads,
//! tenants and responses nothing.

use intentkey_core::Key;

use crate::claim::Claimed;
use crate::engine::By;
use crate::error::StoreError;
use crate::record::Why;
use crate::recovery::Advanced;
use crate::resolve::Resolved;
use crate::settle::Settled;

pub(crate) fn claimed(key: &Key, claimed: &Claimed, by: By) {
    let outcome = match claimed {
        Claimed::Owned(_) => "owned",
        Claimed::Replay(_) => "replay",
        Claimed::InFlight { .. } => "in_flight",
        Claimed::Unsettled => "unsettled",
        Claimed::PayloadConflict => "payload_conflict",
        Claimed::TooLate => "too_late",
        Claimed::TooEarly => "too_early",
    };
    metrics::counter!("intentkey_claims_total", "outcome" => outcome, "transaction" => word(by)).increment(1);
    tracing::debug!(key = key.prefix(), outcome, "claimed");
}

pub(crate) fn settled(key: &Key, settled: Settled, by: By) {
    let outcome = match settled {
        Settled::Written => "written",
        Settled::AlreadySettled => "already_settled",
        Settled::NotOwner => "not_owner",
        Settled::StillUnknown => "still_unknown",
    };
    metrics::counter!("intentkey_settlements_total", "outcome" => outcome, "transaction" => word(by))
        .increment(1);
    if settled == Settled::NotOwner {
        tracing::warn!(key = key.prefix(), "settled by somebody who does not own it any more");
    } else {
        tracing::debug!(key = key.prefix(), outcome, "settled");
    }
}

pub(crate) fn advanced(key: &Key, advanced: &Advanced) {
    let outcome = match advanced {
        Advanced::Execute(_) => "execute",
        Advanced::LookUp { .. } => "look_up",
        Advanced::Done => "done",
        Advanced::Released => "released",
        Advanced::LookAgain => "look_again",
        Advanced::GaveUp => "gave_up",
        Advanced::Left => "left",
    };
    metrics::counter!("intentkey_recoveries_total", "outcome" => outcome).increment(1);
    if matches!(advanced, Advanced::GaveUp) {
        tracing::warn!(key = key.prefix(), "given up on: reconcile");
    } else {
        tracing::info!(key = key.prefix(), outcome, "recovered");
    }
}

pub(crate) fn parked(key: &Key, why: Why) {
    tracing::warn!(key = key.prefix(), why = why.as_str(), "a recorded intent that can never be executed");
}

/// What is wrong with one row.
pub(crate) fn failed(key: &Key, error: &StoreError) {
    metrics::counter!("intentkey_recoveries_total", "outcome" => "failed").increment(1);
    tracing::error!(key = key.prefix(), %error, "a row that cannot be worked on");
}

pub(crate) fn resolved(key: &Key, resolved: Resolved) {
    if resolved == Resolved::Written {
        metrics::counter!("intentkey_resolutions_total").increment(1);
        tracing::info!(key = key.prefix(), "resolved");
    }
}

pub(crate) fn swept(rows: u64) {
    metrics::counter!("intentkey_swept_total").increment(rows);
    tracing::debug!(rows, "swept");
}

fn word(by: By) -> &'static str {
    match by {
        By::Store => "own",
        By::Caller => "callers",
    }
}
