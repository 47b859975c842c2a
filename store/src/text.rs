//! Texts that both databases can store: PostgreSQL has no U+0000.

use crate::claim::Claim;
use crate::error::{Result, StoreError};

/// Refuses a text with U+0000 in it.
pub(crate) fn check(text: &str, refusal: &'static str) -> Result<()> {
    if text.contains('\0') { Err(StoreError::Text(refusal)) } else { Ok(()) }
}

/// Refuses a claim with such a text.
pub(crate) fn check_claim(claim: &Claim) -> Result<()> {
    check(&claim.tenant, "the tenant has U+0000 in it")?;
    check(&claim.action, "the action has U+0000 in it")?;
    check(&claim.target.name, "the destination's name has U+0000 in it")?;
    check(claim.secret_id.as_deref().unwrap_or_default(), "the secret's id has U+0000 in it")?;
    check(claim.policy_digest.as_deref().unwrap_or_default(), "the policy's digest has U+0000 in it")
}
