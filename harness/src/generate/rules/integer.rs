//! `integer`: a decimal number without places.

use intentkey_core::Rounding;

use super::{Spellings, decimal};

pub(super) fn spellings() -> Spellings {
    decimal::at_scale(0, Rounding::Refuse)
}
