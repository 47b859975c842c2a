//! tenant-action-secret-split: whose, what and under which secret are parts of a key.

use hmac::{Hmac, KeyInit as _, Mac as _};
use intentkey_core::Scope;
use proptest::strategy::Strategy as _;
use sha2::Sha256;

use super::bench::Judged;
use super::counterexample::Counterexample;
use super::{Bench, Verdict};
use crate::generate::cycle::cycle;
use crate::generate::intent::{Frame, Intent, two_tenants};
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::hosts::{Derived, Outcome, Ring};

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let strategy = (
        bench.payloads.pairs(Relations::SAME),
        Frame::any(bench.policy()),
        two_tenants(),
        // Over a run, every byte of the secret.
        (cycle(&(0_usize..32).collect::<Vec<_>>()), 0_u32..8),
    )
        .boxed();
    bench.run(&strategy, "there is nothing to split", |(pair, frame, [tenant, other], bit)| {
        let intent = Intent { tenant: tenant.clone(), ..frame.around(pair.side(Side::One)) };
        let derived = bench.derive_sound(&intent)?;
        let others = bench.policy().actions().filter(|action| *action != intent.action);
        let other_actions = others.map(|action| Intent { action: action.to_owned(), ..intent.clone() });
        let other_tenant = Intent { tenant: other.clone(), ..intent.clone() };
        for other in std::iter::once(other_tenant.clone()).chain(other_actions) {
            let what = if other.tenant == intent.tenant { "action" } else { "tenant" };
            if let Some(why) = alike(&derived, &bench.derive(&other), what) {
                return Err(bench.sides(&why, ["one intent", "another intent"], [&intent, &other]).boxed());
            }
        }
        other_secret(bench, &intent, &derived, *bit)?;
        tenants_secret(bench, &intent, &derived, &other_tenant)
    })
}

/// Where the policy gives each tenant a secret of its own, a producer that holds it derives that
/// tenant's keys, and nobody else's.
fn tenants_secret(bench: &Bench<'_>, intent: &Intent, derived: &Derived, other: &Intent) -> Judged {
    let (Scope::Tenant, Ring::Bare(secret)) = (bench.policy().scope(), &bench.ring) else { return Ok(true) };
    let ring = Ring::Tenant { tenant: intent.tenant.clone(), secret: secret_of(secret, &intent.tenant) };
    let sides = |why: &str, intent| {
        let (one, other) =
            (bench.side("the secret of all", &bench.ring, intent), bench.side("the tenant's", &ring, intent));
        Err(Counterexample::new(why, one, other).boxed())
    };
    if bench.derive_text(&ring, &intent.text()).as_ref() != Ok(derived) {
        return sides("a tenant's secret does not derive what the secret of all derives for it", intent);
    }
    match bench.derive_text(&ring, &other.text()) {
        Err(refused) if refused.code == "tenant_not_held" => Ok(true),
        _ => sides("a tenant's secret serves another tenant", other),
    }
}

/// HMAC-SHA256(secret, `intentkey tenant v1` 0x00 tenant), as the design has it.
fn secret_of(secret: &[u8; 32], tenant: &str) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(secret);
    mac.map_or([0; 32], |mac| {
        mac.chain_update(b"intentkey tenant v1\0").chain_update(tenant).finalize().into_bytes().into()
    })
}

fn other_secret(bench: &Bench<'_>, intent: &Intent, derived: &Derived, (byte, bit): (usize, u32)) -> Judged {
    let Ring::Bare(mut secret) = bench.ring.clone() else { return Ok(false) };
    if let Some(byte) = secret.get_mut(byte) {
        *byte ^= 1 << bit;
    }
    let ring = Ring::Bare(secret);
    match alike(derived, &bench.derive_text(&ring, &intent.text()), "secret") {
        None => Ok(true),
        Some(why) => {
            let sides =
                [bench.side("one secret", &bench.ring, intent), bench.side("another secret", &ring, intent)];
            let [one, other] = sides;
            Err(Counterexample::new(why, one, other)
                .noting(format!("the secrets differ in byte {byte}"))
                .boxed())
        }
    }
}

/// What is alike in two derivations that should share nothing.
fn alike(derived: &Derived, other: &Outcome, what: &str) -> Option<String> {
    let Ok(other) = other else { return Some(String::from("a sound intent is refused")) };
    let edge_keys = [derived, other].map(|derived| derived.edge.as_ref().map(|edge| &edge.key));
    let same_edge = derived.edge.is_some() && edge_keys.first() == edge_keys.last();
    if other.key == derived.key || same_edge {
        return Some(format!("the {what} is not in the key"));
    }
    (other.fingerprint == derived.fingerprint).then(|| format!("the {what} is not in the fingerprint"))
}
