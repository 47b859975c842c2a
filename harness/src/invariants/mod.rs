//! The invariants: what a policy promises whatever the payload. One a file.

mod bench;
mod bucket_split;
mod checked_guard;
mod counterexample;
mod fail_loud;
mod fixed_point;
mod framing_safe;
mod hosts_agree;
mod identity_sensitive;
mod key_shape;
mod order_free;
mod retry_stable;
mod spelling_free;
mod tenant_action_secret_split;

pub use counterexample::{Counterexample, Side};

pub use bench::Verdict;

pub(crate) use bench::Bench;

/// An invariant.
pub(crate) struct Invariant {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it promises, in one line.
    pub(crate) promise: &'static str,
    /// Tries to break it.
    pub(crate) check: fn(&Bench<'_>) -> Verdict,
}

/// All invariants, in the order of the design.
pub(crate) const ALL: &[Invariant] = &[
    Invariant {
        name: "retry-stable",
        promise: "ignored fields resampled, added and removed: same key, same fingerprint",
        check: retry_stable::check,
    },
    Invariant {
        name: "order-free",
        promise: "names reordered, JSON re-spaced and re-escaped: same key",
        check: order_free::check,
    },
    Invariant {
        name: "spelling-free",
        promise: "each field in every equal spelling of its rule: same key, same fingerprint",
        check: spelling_free::check,
    },
    Invariant {
        name: "identity-sensitive",
        promise: "an identity field given another meaning: another key",
        check: identity_sensitive::check,
    },
    Invariant {
        name: "bucket-split",
        promise: "one key in a bucket, another past either end; edge keys at the edges",
        check: bucket_split::check,
    },
    Invariant {
        name: "tenant-action-secret-split",
        promise: "another tenant, action or secret: another key",
        check: tenant_action_secret_split::check,
    },
    Invariant {
        name: "framing-safe",
        promise: "text moved between tenant, action and fields: never the same key",
        check: framing_safe::check,
    },
    Invariant {
        name: "fixed-point",
        promise: "canonical values fed back: same key",
        check: fixed_point::check,
    },
    Invariant {
        name: "fail-loud",
        promise: "what is wrong is refused under the documented code, at the right field",
        check: fail_loud::check,
    },
    Invariant {
        name: "checked-guard",
        promise: "a checked field changed: same key, another fingerprint",
        check: checked_guard::check,
    },
    Invariant {
        name: "key-shape",
        promise: "alphabet and length as the policy says; no payload text and no secret shows",
        check: key_shape::check,
    },
    Invariant {
        name: HOSTS_AGREE,
        promise: "in this process, in the component and in other producers: the same key or the same code",
        check: hosts_agree::check,
    },
];

/// The one that needs other hosts.
pub(crate) const HOSTS_AGREE: &str = "hosts-agree";
