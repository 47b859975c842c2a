//! One committed number for all that text becomes.

use alloc::format;
use alloc::string::String;

use sha2::{Digest, Sha256};

use super::applied;
use super::sequences::texts;
use crate::unicode::{collapse, fold, fold_canonical, is_white_space, nfc, trim};

/// SHA-256 over every scalar value and [`TEXTS`] texts. See [`record`] for what is hashed.
const DIGEST: &str = "771a9a522e358ffa9537a15d9e1862ea7a453ef2edff0361c9d5bc68c59ab7af";

/// How many pseudo-random texts are hashed.
const TEXTS: usize = 120_000;

/// Adds every result for `text`, each with its length in front.
fn record(hash: &mut Sha256, text: &str) {
    let mut add = |result: &str| {
        hash.update((result.len() as u32).to_le_bytes());
        hash.update(result);
    };
    add(&applied(nfc, text));
    add(&applied(fold, text));
    add(&applied(fold_canonical, text));
    add(&applied(collapse, text));
    add(trim(text));
}

fn digest() -> String {
    let mut hash = Sha256::new();
    for c in '\0'..=char::MAX {
        record(&mut hash, c.encode_utf8(&mut [0; 4]));
        hash.update([u8::from(is_white_space(c))]);
    }
    for text in texts(2, TEXTS) {
        record(&mut hash, &text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn text_becomes_what_it_always_became() {
    assert_eq!(
        digest(),
        DIGEST,
        "KEY-BREAKING: text now becomes other bytes, and with them keys that are out there change"
    );
}
