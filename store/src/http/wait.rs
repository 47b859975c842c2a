//! Claiming, within the store's time, and waiting for an original.

use std::time::{Duration, Instant};

use super::options::Settings;
use crate::claim::{Claim, Claimed};
use crate::error::{Result, StoreError};

/// The first pause between two looks at an original that is running, and the longest.
const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_millis(500);

/// Claims; where the original is running, again and again as long as a repeat may wait.
pub(super) async fn claim(settings: &Settings, claim: &Claim) -> Result<Claimed> {
    let begun = Instant::now();
    let mut pause = FIRST;
    loop {
        let claimed = once(settings, claim).await?;
        let is_running = matches!(claimed, Claimed::InFlight { .. });
        if !is_running || begun.elapsed() + pause > settings.wait {
            return Ok(claimed);
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST);
    }
}

/// Claims, and waits for nobody.
pub(super) async fn once(settings: &Settings, claim: &Claim) -> Result<Claimed> {
    let claiming = settings.store.claim(claim);
    tokio::time::timeout(settings.slowest_store, claiming).await.map_err(|_| StoreError::Contended)?
}
