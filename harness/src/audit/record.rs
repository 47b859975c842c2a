//! What is kept of an event: 48 bytes, and nothing of its payload.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed, xxh3_128};

use crate::events::Place;

/// An event that has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// 16 bytes of a digest (XXH3) over tenant, action and body: equal identities in one bucket have
    /// one key. Among 10^8 of them two that differ are alike by chance once in 10^22 audits.
    pub(super) identity: [u64; 2],
    /// The same of the true intent id; 0 where there is none.
    pub(super) truth: u64,
    /// The same of the fingerprint's material; 0 where no policy checks a field.
    pub(super) fingerprint: u64,
    /// When the intent was decided.
    pub(super) epoch: u64,
    /// Where the event stands.
    pub(super) place: Place,
}

/// The digest of an identity.
///
/// Material is `[tenant, action, body, bucket]`: without its bucket it says the same at every
/// width of the buckets.
pub(super) fn identity(material: &[u8]) -> [u64; 2] {
    let end = memchr::memrchr(b',', material).unwrap_or(material.len());
    halves(xxh3_128(material.get(..end).unwrap_or_default()))
}

/// A number for the material of a fingerprint.
pub(super) fn fingerprint(material: &[u8]) -> u64 {
    xxh3_64(material)
}

fn halves(digest: u128) -> [u64; 2] {
    [(digest >> 64) as u64, digest as u64]
}

/// A number for a text, in one that it belongs to; never 0.
pub(super) fn digest(text: &str, of: Option<&str>) -> u64 {
    let seed = of.map_or(0, |of| xxh3_64(of.as_bytes()));
    xxh3_64_with_seed(text.as_bytes(), seed).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_all_but_the_bucket() {
        let one = identity(br#"["a","b",{"c":"1,2"},7]"#);
        assert_eq!(one, identity(br#"["a","b",{"c":"1,2"},8]"#));
        assert_ne!(one, identity(br#"["a","b",{"c":"1,3"},7]"#));
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(digest("ab", Some("c")), digest("a", Some("bc")));
        assert_ne!(digest("ab", None), digest("ab", Some("")));
        assert_eq!(size_of::<Record>(), 48);
    }
}
