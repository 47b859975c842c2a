//! Wrong cores that break tenant-action-secret-split: tenants, actions and secrets that do not count.

use super::*;

fn with_member(name: &'static str, value: &'static str) -> Wrong {
    let read = move |intent: &mut Line| {
        let known = ["pix.transfer", "pix.refund"];
        intent.edit_text(name, |text| {
            let is_sound = (name == "tenant" && !text.is_empty()) || known.contains(&text);
            String::from(if is_sound { value } else { text })
        });
    };
    Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) }
}

#[test]
fn catches_a_tenant_that_does_not_count() {
    caught(&with_member("tenant", "t"), &["tenant-action-secret-split", "framing-safe"]);
}

#[test]
fn catches_an_action_that_does_not_count() {
    caught(&with_member("action", "pix.refund"), &["tenant-action-secret-split"]);
}

#[test]
fn catches_a_tenant_that_is_trimmed_or_folded() {
    for edit in [|tenant: &str| tenant.to_lowercase(), |tenant: &str| tenant.trim_end().to_owned() + "."] {
        let read = move |intent: &mut Line| {
            intent.edit_text("tenant", |tenant| if tenant.is_empty() { String::new() } else { edit(tenant) });
        };
        caught(&Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) }, &["tenant-action-secret-split"]);
    }
}

#[test]
fn catches_a_secret_that_is_cut() {
    let ring = |ring: &Ring, _: &str| match ring {
        Ring::Bare(secret) => {
            let mut secret = *secret;
            secret[31] = 0;
            Ring::Bare(secret)
        }
        dated => dated.clone(),
    };
    caught(
        &Wrong { ring: Some(Box::new(ring)), ..Wrong::by(POLICY) },
        &["tenant-action-secret-split", "bucket-split"],
    );
}

#[test]
fn catches_a_secret_that_does_not_count() {
    let ring = |_: &Ring, _: &str| Ring::Bare([7; 32]);
    let wrong = Wrong { ring: Some(Box::new(ring)), ..Wrong::by(POLICY) };
    caught(&wrong, &["tenant-action-secret-split", "bucket-split"]);
}

#[test]
fn catches_a_secret_that_is_not_scoped() {
    let scoped = POLICY.replace(r#""length": 40"#, r#""length": 40, "scope": "tenant""#);
    let ring = |ring: &Ring, _: &str| match ring {
        Ring::Tenant { tenant, .. } => Ring::Tenant { tenant: tenant.clone(), secret: [7; 32] },
        other => other.clone(),
    };
    let wrong = Wrong { ring: Some(Box::new(ring)), ..Wrong::by(&scoped) };
    let policy = Policy::from_json(&scoped).unwrap();
    let report = check(&policy, &wrong, &Settings { cases: 32, ..Settings::default() });
    assert_eq!(report.broken().map(|broken| broken.0).collect::<Vec<_>>(), ["tenant-action-secret-split"]);
}
