//! Wrong cores that break bucket-split: buckets and edges that are off.

use super::*;

#[test]
fn catches_a_wider_bucket() {
    caught(&with_policy("/bucket_seconds", json!(901)), &["bucket-split"]);
}

#[test]
fn catches_a_bucket_that_begins_a_second_early() {
    let read = |intent: &mut Line| {
        if let Some(epoch) = intent.number("intent_epoch").filter(|epoch| *epoch < 99_999_999_999) {
            intent.set("intent_epoch", epoch + 1);
        }
    };
    caught(&Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) }, &["bucket-split"]);
}

#[test]
fn catches_rounding_up() {
    let read = |intent: &mut Line| {
        if let Some(epoch) = intent.number("intent_epoch").filter(|epoch| *epoch < 99_999_999_000) {
            intent.set("intent_epoch", epoch.div_ceil(900) * 900);
        }
    };
    caught(&Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) }, &["bucket-split"]);
}

#[test]
fn catches_a_bucket_that_is_not_in_the_key() {
    let wrong = writing(|material| {
        let end = material.rfind(',').unwrap();
        format!("{},0]", &material[..end])
    });
    caught(&wrong, &["bucket-split"]);
}

#[test]
fn catches_edges_that_are_too_wide_too_narrow_or_missing() {
    for edge in [0, 1, 19, 21, 450] {
        caught(&with_policy("/edge_seconds", json!(edge)), &["bucket-split"]);
    }
}

#[test]
fn catches_an_edge_key_that_is_an_ordinary_one() {
    let wrong = answering(|_, mut derived| {
        let key = derived.key.clone();
        derived.edge.iter_mut().for_each(|edge| edge.key.clone_from(&key));
        derived
    });
    caught(&wrong, &["bucket-split"]);
}

#[test]
fn catches_a_fingerprint_of_its_own_at_the_edge() {
    let wrong = answering(|_, mut derived| {
        let fingerprint = tweak(derived.clone(), "edge").fingerprint;
        derived.edge.iter_mut().for_each(|edge| edge.fingerprint.clone_from(&fingerprint));
        derived
    });
    caught(&wrong, &["bucket-split"]);
}

#[test]
fn catches_a_secret_of_the_second_and_not_of_the_bucket() {
    let ring = |ring: &Ring, text: &str| {
        let epoch = Line::parse(text).and_then(|intent| intent.number("intent_epoch"));
        match (ring, epoch) {
            (Ring::Dated(secrets), Some(epoch)) => {
                let mut secrets = secrets.clone();
                secrets.retain(|secret| secret.from_epoch <= epoch);
                if let Some(last) = secrets.last_mut() {
                    last.from_epoch = 0;
                }
                Ring::Dated(secrets.split_off(secrets.len() - 1))
            }
            _ => ring.clone(),
        }
    };
    caught(&Wrong { ring: Some(Box::new(ring)), ..Wrong::by(POLICY) }, &["bucket-split"]);
}
