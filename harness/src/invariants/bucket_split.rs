//! bucket-split: one key in a bucket, another past either end, and edge keys at the edges.

use std::collections::BTreeMap;

use proptest::strategy::{BoxedStrategy, Strategy as _};

use super::bench::Judged;
use super::counterexample::Counterexample;
use super::{Bench, Verdict};
use crate::generate::intent::{Frame, Intent, MILLISECONDS_FROM};
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::hosts::{Dated, Derived, Ring};

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let buckets =
        Buckets { seconds: bench.policy().bucket_seconds(), edge_seconds: bench.policy().edge_seconds() };
    let strategy = (
        bench.payloads.pairs(Relations::SAME),
        Frame::any(bench.policy()),
        bucket(buckets),
        0_u64..MILLISECONDS_FROM,
    )
        .boxed();
    bench.run(&strategy, "there is no epoch", |(pair, frame, bucket, offset)| {
        let intent = frame.around(pair.side(Side::One));
        if buckets.seconds == 0 {
            return one_for_all_time(bench, &intent, *offset);
        }
        let epochs = buckets.around(*bucket, offset % buckets.seconds);
        let derived = epochs
            .into_iter()
            .map(|epoch| {
                let intent = Intent { epoch, ..intent.clone() };
                bench.derive_sound(&intent).map(|derived| (epoch, derived))
            })
            .collect::<Result<Vec<_>, _>>()?;
        each_alone(bench, buckets, &intent, &derived)?;
        each_beside_others(bench, buckets, &intent, &derived)?;
        rotated(bench, buckets, &intent, *bucket, offset % buckets.seconds, &derived)
    })
}

/// The buckets of a policy, reckoned here and not by core.
#[derive(Clone, Copy)]
struct Buckets {
    seconds: u64,
    edge_seconds: u64,
}

impl Buckets {
    fn of(self, epoch: u64) -> u64 {
        epoch.checked_div(self.seconds).unwrap_or(0)
    }

    /// The bucket that begins at the edge which an epoch is near.
    fn edge_near(self, epoch: u64) -> Option<u64> {
        let (bucket, offset) = (self.of(epoch), epoch.checked_rem(self.seconds)?);
        let after_begin = offset < self.edge_seconds && bucket > 0;
        let before_end = self.seconds - offset <= self.edge_seconds;
        if after_begin { Some(bucket) } else { before_end.then_some(bucket + 1) }
    }

    /// Epochs in a bucket, at its ends and at its edges, inside and outside.
    fn around(self, bucket: u64, offset: u64) -> Vec<u64> {
        let begin = bucket.saturating_mul(self.seconds);
        let end = begin.saturating_add(self.seconds);
        let edge = self.edge_seconds;
        let mut epochs = vec![
            begin,
            begin + offset,
            end - 1,
            begin + edge,
            (begin + edge).saturating_sub(1),
            end - edge,
            (end - edge).saturating_sub(1),
            begin.saturating_sub(1),
            begin.saturating_sub(edge),
            begin.saturating_sub(edge + 1),
            end,
            end + edge,
            (end + edge).saturating_sub(1),
        ];
        epochs.retain(|epoch| *epoch < MILLISECONDS_FROM);
        epochs.sort_unstable();
        epochs.dedup();
        epochs
    }
}

/// A bucket: the first, the second, and any other whose end is still an epoch.
fn bucket(buckets: Buckets) -> BoxedStrategy<u64> {
    let last = MILLISECONDS_FROM.checked_div(buckets.seconds).unwrap_or(0).saturating_sub(1).max(1);
    let usual = 2_000_000_000_u64.checked_div(buckets.seconds).unwrap_or(0).clamp(1, last);
    proptest::prop_oneof![0..3_u64.min(last), 0..usual, 0..last].boxed()
}

fn beside(bench: &Bench<'_>, why: &str, intent: &Intent, epochs: [u64; 2]) -> Box<Counterexample> {
    let [one, other] = epochs.map(|epoch| Intent { epoch, ..intent.clone() });
    bench.sides(why, ["at one second", "at another second"], [&one, &other]).boxed()
}

/// With one bucket for all time, every epoch is alike, and a secret's epoch is not looked at.
fn one_for_all_time(bench: &Bench<'_>, intent: &Intent, epoch: u64) -> Judged {
    let derived = bench.derive_sound(intent)?;
    for epoch in [epoch, 0, MILLISECONDS_FROM - 1] {
        let again = bench.derive_sound(&Intent { epoch, ..intent.clone() })?;
        if again != derived || again.bucket != 0 || again.edge.is_some() {
            let why = "with one bucket for all time, two epochs do not derive alike";
            return Err(beside(bench, why, intent, [intent.epoch, epoch]));
        }
    }
    let Ring::Bare(secret) = bench.ring else { return Ok(true) };
    let ring =
        Ring::Dated(vec![Dated { id: String::from("later"), from_epoch: MILLISECONDS_FROM - 1, secret }]);
    let later = bench.derive_text(&ring, &intent.text());
    if later.as_ref().is_ok_and(|later| later.key == derived.key && later.fingerprint == derived.fingerprint)
    {
        return Ok(true);
    }
    let sides = [
        bench.side("a bare secret", &bench.ring, intent),
        bench.side("the same in a keyring", &ring, intent),
    ];
    let [one, other] = sides;
    Err(Counterexample::new("with one bucket for all time, a secret's epoch counts", one, other).boxed())
}

/// What each derivation says of its epoch.
fn each_alone(bench: &Bench<'_>, buckets: Buckets, intent: &Intent, derived: &[(u64, Derived)]) -> Judged {
    for (epoch, derived) in derived {
        let here = |why| Err(beside(bench, why, intent, [buckets.of(*epoch) * buckets.seconds, *epoch]));
        if derived.bucket != buckets.of(*epoch) {
            return here("the bucket is not floor(epoch / bucket_seconds)");
        }
        match (&derived.edge, buckets.edge_near(*epoch)) {
            (None, Some(_)) => return here("near an edge there is no edge key"),
            (Some(_), None) => return here("away from an edge there is an edge key"),
            (Some(edge), _) if edge.fingerprint != derived.fingerprint => {
                return here("the fingerprint beside the edge key is not the ordinary one");
            }
            (Some(edge), _) if edge.secret_id != derived.secret_id => {
                return here("one secret has two ids");
            }
            _ => {}
        }
    }
    Ok(true)
}

/// Keys are shared by those of a bucket, edge keys by those of an edge, and by nobody else.
fn each_beside_others(
    bench: &Bench<'_>,
    buckets: Buckets,
    intent: &Intent,
    derived: &[(u64, Derived)],
) -> Judged {
    let mut seen: BTreeMap<&str, (Place, u64)> = BTreeMap::new();
    let mut keys: BTreeMap<Place, (&str, u64)> = BTreeMap::new();
    for (epoch, derived) in derived {
        let own = (Place::Bucket(buckets.of(*epoch)), derived.key.as_str());
        let edge = derived.edge.as_ref().zip(buckets.edge_near(*epoch));
        let edge = edge.map(|(edge, bucket)| (Place::Edge(bucket), edge.key.as_str()));
        for (place, key) in std::iter::once(own).chain(edge) {
            let (known, at) = *keys.entry(place).or_insert((key, *epoch));
            if known != key {
                let why = match place {
                    Place::Bucket(_) => "in one bucket there are two keys",
                    Place::Edge(_) => "at one edge there are two edge keys",
                };
                return Err(beside(bench, why, intent, [at, *epoch]));
            }
            let (other, at) = *seen.entry(key).or_insert((place, *epoch));
            if other != place {
                let why = match (other, place) {
                    (Place::Bucket(_), Place::Bucket(_)) => "two buckets share a key",
                    (Place::Edge(_), Place::Edge(_)) => "two edges share an edge key",
                    _ => "an edge key is the key of a bucket",
                };
                return Err(beside(bench, why, intent, [at, *epoch]));
            }
        }
    }
    let mut fingerprints = derived.iter().zip(derived.iter().skip(1));
    match fingerprints.find(|(one, other)| one.1.fingerprint != other.1.fingerprint) {
        None => Ok(true),
        Some((one, other)) => {
            Err(beside(bench, "the fingerprint depends on the bucket", intent, [one.0, other.0]))
        }
    }
}

/// What a key belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Bucket(u64),
    Edge(u64),
}

/// A secret that begins inside a bucket is in force from the next bucket on: a rotation does not
/// split an intent in flight.
fn rotated(
    bench: &Bench<'_>,
    buckets: Buckets,
    intent: &Intent,
    bucket: u64,
    offset: u64,
    derived: &[(u64, Derived)],
) -> Judged {
    let Ring::Bare(old) = bench.ring else { return Ok(true) };
    let new = old.map(|byte| byte ^ 0x55);
    let from_epoch = bucket * buckets.seconds + offset;
    // Both would begin at 0, or the new one never.
    if from_epoch == 0 || from_epoch >= MILLISECONDS_FROM {
        return Ok(true);
    }
    let dated = |id: &str, from_epoch, secret| Dated { id: String::from(id), from_epoch, secret };
    let ring = Ring::Dated(vec![dated("old", 0, old), dated("new", from_epoch, new)]);
    let is_new = |bucket: u64| bucket * buckets.seconds >= from_epoch;
    for (epoch, with_old) in derived {
        let intent = Intent { epoch: *epoch, ..intent.clone() };
        let Ok(with_new) = bench.derive_text(&Ring::Bare(new), &intent.text()) else {
            return Err(bench.refused(&Ring::Bare(new), &intent));
        };
        let expect = |is_new: bool| if is_new { (&with_new, "new") } else { (with_old, "old") };
        let (own, id) = expect(is_new(buckets.of(*epoch)));
        let edge = buckets.edge_near(*epoch).map(|edge| expect(is_new(edge)));
        let rotated = bench.derive_text(&ring, &intent.text());
        let as_expected = rotated.as_ref().is_ok_and(|rotated| {
            let edge =
                edge.and_then(|(with, id)| with.edge.as_ref().map(|edge| (&edge.key, &edge.fingerprint, id)));
            let found =
                rotated.edge.as_ref().map(|edge| (&edge.key, &edge.fingerprint, edge.secret_id.as_str()));
            (&rotated.key, &rotated.fingerprint, rotated.secret_id.as_str())
                == (&own.key, &own.fingerprint, id)
                && found == edge
        });
        if !as_expected {
            let single = Ring::Bare(if id == "new" { new } else { old });
            let (one, other) = (
                bench.side("the secret in force", &single, &intent),
                bench.side("both in a keyring", &ring, &intent),
            );
            let note = format!(
                "the new secret begins at {from_epoch}, the bucket at {}",
                buckets.of(*epoch) * buckets.seconds
            );
            let why = "a keyring does not take the secret in force at the first second of the bucket";
            return Err(Counterexample::new(why, one, other).noting(note).boxed());
        }
    }
    Ok(true)
}
