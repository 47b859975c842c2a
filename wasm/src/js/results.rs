//! How results lie in memory: the usual ones in a fixed area, all else as JSON.

use alloc::boxed::Box;
use alloc::string::String;
use core::cell::Cell;

use intentkey_core::{
    Class, Derived, DerivedKey, ExplainedField, Explanation, Fingerprint, Handshake, Key, Material,
};

use crate::boundary::json::Json;

/// Where a derivation's second key begins: all its members lie as far from here as those of the
/// first lie from 0.
const EDGE: usize = 144;
/// u32: the place of the secret's id.
const SECRET: usize = 0;
/// u8: the length of the key.
const KEY_LENGTH: usize = 4;
/// u8: whether there is a second key.
const HAS_EDGE: usize = 5;
/// u64: the bucket.
const BUCKET: usize = 8;
/// The key, at most 64 characters.
const KEY: usize = 16;
/// The fingerprint, 64 characters.
const FINGERPRINT: usize = 80;

/// How many results of a batch are held at once.
const SLOTS: usize = 32;

/// The fixed area: a slot for a result, or for each of a batch. The glue reads it with these very
/// offsets.
pub(super) struct Fixed([Slot; SLOTS]);

/// Room for one result.
pub(super) struct Slot([Cell<u8>; 2 * EDGE]);

impl Default for Fixed {
    fn default() -> Self {
        Fixed([const { Slot([const { Cell::new(0) }; 2 * EDGE]) }; SLOTS])
    }
}

impl Fixed {
    pub(super) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// The slot of a single result.
    pub(super) fn first(&self) -> &Slot {
        let [first, ..] = &self.0;
        first
    }

    /// The slots, for a batch.
    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.0.iter()
    }
}

impl Slot {
    /// Nothing: what a batch has in place of what was refused.
    pub(super) fn nothing(&self) {
        self.put(KEY_LENGTH, &[0]);
    }

    /// A key alone.
    pub(super) fn key(&self, key: &Key) {
        self.put_key(0, key);
    }

    /// A fingerprint alone.
    pub(super) fn fingerprint(&self, fingerprint: &Fingerprint) {
        self.put_fingerprint(0, fingerprint);
    }

    pub(super) fn derived_key(&self, derived: &DerivedKey, ids: &[Box<str>]) {
        self.common(&derived.key, derived.bucket, place_of(ids, &derived.secret_id), derived.edge.is_some());
        if let Some(edge) = &derived.edge {
            self.put(EDGE + SECRET, &place_of(ids, &edge.secret_id).to_le_bytes());
            self.put_key(EDGE, &edge.key);
        }
    }

    pub(super) fn derived(&self, derived: &Derived, ids: &[Box<str>]) {
        self.common(&derived.key, derived.bucket, place_of(ids, &derived.secret_id), derived.edge.is_some());
        self.put_fingerprint(0, &derived.fingerprint);
        if let Some(edge) = &derived.edge {
            self.put(EDGE + SECRET, &place_of(ids, &edge.secret_id).to_le_bytes());
            self.put_key(EDGE, &edge.key);
            self.put_fingerprint(EDGE, &edge.fingerprint);
        }
    }

    fn common(&self, key: &Key, bucket: u64, secret: u32, has_edge: bool) {
        self.put(SECRET, &secret.to_le_bytes());
        self.put(HAS_EDGE, &[u8::from(has_edge)]);
        self.put(BUCKET, &bucket.to_le_bytes());
        self.put_key(0, key);
    }

    fn put_key(&self, at: usize, key: &Key) {
        let key = key.as_str().as_bytes();
        self.put(at + KEY_LENGTH, &[key.len() as u8]);
        self.put(at + KEY, key);
    }

    fn put_fingerprint(&self, at: usize, fingerprint: &Fingerprint) {
        let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(fingerprint.as_bytes()) {
            if let [high, low] = pair {
                (*high, *low) = (digit(byte >> 4), digit(byte & 0x0f));
            }
        }
        self.put(at + FINGERPRINT, &digits);
    }

    #[inline]
    fn put(&self, at: usize, bytes: &[u8]) {
        for (cell, &byte) in self.0.iter().skip(at).zip(bytes) {
            cell.set(byte);
        }
    }
}

/// The place of a secret's id in the list of all: tenants' secrets of one rotation share theirs,
/// so that it is short.
fn place_of(ids: &[Box<str>], id: &str) -> u32 {
    let place = ids.iter().position(|held| **held == *id);
    place.and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
}

pub(super) fn explanation(explanation: &Explanation) -> String {
    let Explanation { derived, material, edge_material, fields, .. } = explanation;
    let mut json = Json::default();
    json.begin('{');
    json.text_member("key", derived.key.as_str());
    json.text_member("fingerprint", &derived.fingerprint.to_hex());
    json.number_member("bucket", derived.bucket);
    json.text_member("secretId", &derived.secret_id);
    json.text_member("material", material);
    if let Some(edge) = &derived.edge {
        json.name("edge");
        json.begin('{');
        json.text_member("key", edge.key.as_str());
        json.text_member("fingerprint", &edge.fingerprint.to_hex());
        json.text_member("secretId", &edge.secret_id);
        json.optional_member("material", edge_material.as_deref());
        json.end('}');
    }
    json.name("fields");
    json.begin('[');
    fields.iter().for_each(|field| explained_field(&mut json, field));
    json.end(']');
    json.end('}');
    json.into_text()
}

fn explained_field(json: &mut Json, field: &ExplainedField) {
    let class = match field.class {
        Some(Class::Identity) => "identity",
        Some(Class::Checked) => "checked",
        None => "ignored",
    };
    json.begin('{');
    json.text_member("field", &field.field);
    json.text_member("class", class);
    json.optional_member("kind", field.kind);
    json.optional_member("rule", field.rule);
    json.optional_member("canonical", field.canonical.as_deref());
    json.end('}');
}

/// Material is UTF-8.
fn text(material: &[u8]) -> &str {
    core::str::from_utf8(material).unwrap_or_default()
}

/// The glue makes the bytes of the text.
pub(super) fn material(material: &Material) -> String {
    let mut json = Json::default();
    json.begin('{');
    json.text_member("bytes", text(&material.bytes));
    json.number_member("bucketStart", material.bucket_start);
    if let Some(edge) = &material.edge {
        json.name("edge");
        json.begin('{');
        json.text_member("bytes", text(&edge.bytes));
        json.number_member("bucketStart", edge.bucket_start);
        json.end('}');
    }
    json.end('}');
    json.into_text()
}

pub(super) fn handshake(handshake: &Handshake) -> String {
    let mut json = Json::default();
    json.begin('{');
    json.name("policies");
    json.begin('[');
    for policy in &handshake.policies {
        json.begin('{');
        json.text_member("name", &policy.name);
        if let Some(from_epoch) = policy.from_epoch {
            json.number_member("fromEpoch", from_epoch);
        }
        json.text_member("digest", &policy.digest);
        json.end('}');
    }
    json.end(']');
    json.name("secrets");
    json.begin('[');
    for secret in &handshake.secrets {
        json.begin('{');
        json.text_member("id", &secret.id);
        json.optional_member("tenant", secret.tenant.as_deref());
        json.text_member("check", &secret.check);
        json.end('}');
    }
    json.end(']');
    json.text_member("unicode", handshake.unicode);
    json.text_member("currencies", handshake.currencies);
    json.end('}');
    json.into_text()
}
