//! HMAC-SHA256 (RFC 2104, FIPS 180-4) over the compression function of `sha2`.
//!
//! The crate `hmac` gives the same bytes, as the tests see, and costs a tenth of a derivation more: it
//! takes a message piece by piece, by way of a buffer, and compresses in three calls what lies here in
//! one place and is compressed in one.

use alloc::vec::Vec;

use sha2::block_api::compress256;
use sha2::{Digest as _, Sha256};
use zeroize::{Zeroize as _, Zeroizing};

/// The bytes of a block (FIPS 180-4, section 1).
const BLOCK: usize = 64;

/// The initial hash value (FIPS 180-4, section 5.3.3).
const INITIAL: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// What follows a message: a bit, then zeros, then its length (FIPS 180-4, section 5.1.1).
const END: u8 = 0x80;

/// The bytes of that length.
const LENGTH: usize = 8;

type State = [u32; 8];

/// A key, as the two states after its block, from which every MAC starts. Zeroized when dropped.
#[derive(Clone)]
pub(crate) struct HmacSha256 {
    inner: State,
    outer: State,
}

impl HmacSha256 {
    /// Takes a key of any length.
    pub(crate) fn new(key: &[u8]) -> Self {
        let mut block = Zeroizing::new([0; BLOCK]);
        if key.len() > BLOCK {
            let hash = Zeroizing::new(<[u8; 32]>::from(Sha256::digest(key)));
            fill(&mut block, &*hash);
        } else {
            fill(&mut block, key);
        }
        HmacSha256 { inner: after_pad(&block, 0x36), outer: after_pad(&block, 0x5c) }
    }

    /// The MAC of a message, which is padded for it and then is what it was.
    pub(crate) fn mac(&self, message: &mut Vec<u8>) -> [u8; 32] {
        let length = message.len();
        message.push(END);
        message.resize((length + 1 + LENGTH).next_multiple_of(BLOCK) - LENGTH, 0);
        message.extend_from_slice(&bits_after_key(length));
        let digest = hash(self.inner, message.as_chunks().0);
        message.truncate(length);

        hash(self.outer, &[block_of(&digest)])
    }
}

impl Drop for HmacSha256 {
    fn drop(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

/// Writes a key at the start of a block that is as long at least.
fn fill(block: &mut [u8; BLOCK], key: &[u8]) {
    for (slot, byte) in block.iter_mut().zip(key) {
        *slot = *byte;
    }
}

/// The one block of a digest and its padding.
fn block_of(digest: &[u8; 32]) -> [u8; BLOCK] {
    /// The end, zeros, and 768: the bits of a key's block and a digest.
    const PADDING: [u8; 32] =
        [END, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0];
    let mut block = [0; BLOCK];
    if let Some(start) = block.first_chunk_mut() {
        *start = *digest;
    }
    if let Some(end) = block.last_chunk_mut() {
        *end = PADDING;
    }
    block
}

/// The state after a key's block, each byte combined with a pad.
fn after_pad(block: &[u8; BLOCK], pad: u8) -> State {
    let padded = Zeroizing::new(block.map(|byte| byte ^ pad));
    let mut state = INITIAL;
    compress256(&mut state, core::slice::from_ref(&*padded));
    state
}

/// The length in bits of a key's block and so many bytes.
fn bits_after_key(bytes: usize) -> [u8; LENGTH] {
    (8 * (BLOCK + bytes) as u64).to_be_bytes()
}

/// The hash of a message that ends with these blocks, before which the state was `state`.
fn hash(mut state: State, blocks: &[[u8; BLOCK]]) -> [u8; 32] {
    compress256(&mut state, blocks);
    let mut hash = [0; 32];
    for (slot, word) in hash.as_chunks_mut().0.iter_mut().zip(state) {
        *slot = word.to_be_bytes();
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use hmac::{Hmac, KeyInit as _, Mac as _};

    /// RFC 4231, section 4.3: a key and a message shorter than a block.
    #[test]
    fn a_published_case_agrees() {
        assert_eq!(
            HmacSha256::new(b"Jefe").mac(&mut b"what do ya want for nothing?".to_vec()),
            [
                0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24, 0x26, 0x08, 0x95, 0x75,
                0xc7, 0x5a, 0x00, 0x3f, 0x08, 0x9d, 0x27, 0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9, 0x64, 0xec,
                0x38, 0x43,
            ]
        );
    }

    #[test]
    fn keys_and_messages_of_all_lengths_agree_with_another_implementation() {
        let bytes = |length: usize| (0..length).map(|index| (index * 7 + length) as u8).collect::<Vec<u8>>();
        for key_length in 0..=130 {
            let key = bytes(key_length);
            let ours = HmacSha256::new(&key);
            for length in (0..=200).chain([1000, 4096]) {
                let mut message = bytes(length);
                let mut theirs = Hmac::<Sha256>::new_from_slice(&key).unwrap();
                theirs.update(&message);
                let mac: [u8; 32] = theirs.finalize().into_bytes().into();
                assert_eq!(ours.mac(&mut message), mac, "key {key_length}, message {length}");
                assert_eq!(message, bytes(length));
            }
        }
        assert_ne!(HmacSha256::new(&[1]).mac(&mut vec![]), HmacSha256::new(&[2]).mac(&mut vec![]));
    }
}
