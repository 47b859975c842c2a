//! What a row keeps of its destination's terms.
//!
//! An effect is sent under the terms of its claim. Where whoever asks later declares the destination
//! otherwise, only what both declare counts ([`both`]):
//!
//! 1. Keys are honoured where both say so, for the shorter of the two times.
//! 2. The destination can be asked where both say so, after the longer of the two delays. Where one says it
//!    alone, its delay is taken off the time for which keys are honoured.
//!
//! So a repeat that is declared to honour keys does not execute again what was sent without one.

use std::time::Duration;

use intentkey_core::protocol::Terms;

/// What two declarations of a destination both promise.
pub(crate) fn both(one: Terms, other: Terms) -> Terms {
    let delays = (one.longest_delay(), other.longest_delay());
    let unasked = match delays {
        (Some(_), Some(_)) => Duration::ZERO,
        (one, other) => one.or(other).unwrap_or_default(),
    };
    let retentions = one.key_retention().zip(other.key_retention());
    let retention = retentions.map(|(one, other)| one.min(other).saturating_sub(unasked));
    declared(retention, delays.0.zip(delays.1).map(|(one, other)| one.max(other)))
}

/// In milliseconds, the time for which keys are honoured and the longest delay, as a row has them.
pub(crate) fn to_columns(terms: Terms) -> (i64, i64) {
    let millis = |duration: Option<Duration>| {
        duration.map_or(UNDECLARED, |duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    };
    (millis(terms.key_retention()), millis(terms.longest_delay()))
}

/// `None` of a row that was claimed before rows kept their terms.
pub(crate) fn of_columns(retention: Option<i64>, delay: Option<i64>) -> Option<Terms> {
    let duration = |millis: i64| u64::try_from(millis).ok().map(Duration::from_millis);
    Some(declared(duration(retention?), duration(delay?)))
}

/// Stands for what was not declared.
const UNDECLARED: i64 = -1;

fn declared(retention: Option<Duration>, delay: Option<Duration>) -> Terms {
    let terms = retention.map_or(Terms::neither(), Terms::idempotent_by_key);
    delay.map_or(terms, |delay| terms.and_look_up(delay))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_one_declares_alone_does_not_count() {
        let keyed = |seconds: u32| Terms::idempotent_by_key(seconds * SECOND);
        let asked = |seconds: u32| Terms::look_up(seconds * SECOND);
        for (one, other, expected) in [
            (keyed(60), Terms::neither(), Terms::neither()),
            (keyed(60), keyed(90), keyed(60)),
            (asked(5), Terms::neither(), Terms::neither()),
            (asked(5), asked(7), asked(7)),
            (keyed(60), asked(5), Terms::neither()),
            (
                keyed(60).and_look_up(5 * SECOND),
                keyed(90).and_look_up(7 * SECOND),
                keyed(60).and_look_up(7 * SECOND),
            ),
            (keyed(60).and_look_up(5 * SECOND), asked(7), asked(7)),
            // It cannot be asked, and a request may be under way all the same.
            (keyed(60).and_look_up(5 * SECOND), keyed(90), keyed(55)),
            (keyed(3).and_look_up(5 * SECOND), keyed(90), keyed(0)),
        ] {
            assert_eq!(both(one, other), expected, "{one:?} and {other:?}");
            assert_eq!(both(other, one), expected, "{other:?} and {one:?}");
        }
    }

    #[test]
    fn terms_are_read_as_they_were_written() {
        let day = 86_400 * SECOND;
        let keyed = Terms::idempotent_by_key(day);
        for (terms, columns) in [
            (Terms::neither(), (-1, -1)),
            (Terms::look_up(Duration::ZERO), (-1, 0)),
            (keyed, (86_400_000, -1)),
            (keyed.and_look_up(SECOND), (86_400_000, 1000)),
            (Terms::idempotent_by_key(Duration::MAX), (i64::MAX, -1)),
        ] {
            assert_eq!(to_columns(terms), columns);
            if terms.key_retention() != Some(Duration::MAX) {
                assert_eq!(of_columns(Some(columns.0), Some(columns.1)), Some(terms));
            }
        }
        assert_eq!(of_columns(None, None), None);
    }
}
