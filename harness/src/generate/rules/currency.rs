//! `currency`: codes of ISO 4217, in any case.
//!
//! Source: ISO 4217, list one.

use proptest::strategy::{BoxedStrategy, Strategy as _};

use super::uuid::{case, in_case};
use super::white_space::TRIMMED;
use super::{Spellings, blank, not_strings, padded, refused, texts};
use crate::generate::cycle::cycle;
use crate::generate::json::{Json, Text};

/// A currency.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Coin {
    /// Its code.
    pub(crate) code: &'static str,
    /// The decimal places of its minor unit, where it has one.
    pub(crate) minor: Option<u8>,
}

/// Codes with two decimal places.
const TWO: &str = "BRL USD EUR AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BSD BTN BWP BYN BZD CAD \
    CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL \
    HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR \
    MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP \
    SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW \
    ZWG SLE ANG BGN CUC";

/// Codes without decimal places.
const NONE: &str = "JPY KRW CLP BIF DJF GNF ISK KMF PYG RWF UGX UYI VND VUV XAF XOF XPF";

/// Codes with three decimal places.
const THREE: &str = "KWD BHD IQD JOD LYD OMR TND";

/// Codes with four decimal places.
const FOUR: &str = "CLF UYW";

/// Codes that no minor unit applies to.
const NOT_APPLICABLE: &str = "XAU XAG XPD XPT XDR XSU XUA XTS XXX XBA XBB XBC XBD";

const REFUSED: &[&str] = &[
    "US",
    "USDD",
    "U S",
    "$",
    "R$",
    "ZZZ",
    "AAA",
    "QQQ",
    "986",
    "U\u{17f}D",
    "\u{ff35}\u{ff33}\u{ff24}",
    "BR\u{141}",
    "EU\u{200b}R",
    "US-D",
    "EURO",
    "\u{20ac}",
    "B\u{301}RL",
    "br",
    "x",
    "BRL.",
];

/// The currencies, by how many decimal places they have.
const COINS: [(&str, Option<u8>); 5] =
    [(TWO, Some(2)), (NONE, Some(0)), (THREE, Some(3)), (FOUR, Some(4)), (NOT_APPLICABLE, None)];

impl Coin {
    /// Every currency, those with unlike decimal places in turn.
    pub(crate) fn all() -> &'static [Coin] {
        static ALL: std::sync::LazyLock<Vec<Coin>> = std::sync::LazyLock::new(|| {
            let mut ranked: Vec<(usize, usize, Coin)> = Vec::new();
            for (group, (codes, minor)) in COINS.iter().enumerate() {
                let coins = codes.split_whitespace().map(|code| Coin { code, minor: *minor });
                ranked.extend(coins.enumerate().map(|(rank, coin)| (rank, group, coin)));
            }
            ranked.sort_by_key(|(rank, group, _)| (*rank, *group));
            ranked.into_iter().map(|entry| entry.2).collect()
        });
        &ALL
    }

    /// The currency that a value says, in whatever spelling.
    pub(crate) fn written(value: &Json) -> Option<&'static Coin> {
        let Json::Text(Text::Plain(text)) = value else { return None };
        let code = text.trim_matches(TRIMMED).to_ascii_uppercase();
        Coin::all().iter().find(|coin| coin.code == code)
    }

    /// Those that an amount can be in.
    pub(crate) fn with_minor_unit() -> Vec<&'static Coin> {
        Coin::all().iter().filter(|coin| coin.minor.is_some()).collect()
    }
}

pub(super) fn spellings(coin: Option<&'static Coin>) -> Spellings {
    // Where amounts are in it, the currency of the payload is fixed; else each in turn.
    let codes: Vec<&'static str> = match coin {
        Some(coin) => vec![coin.code],
        None => Coin::all().iter().map(|coin| coin.code).collect(),
    };
    let equal = (cycle(&codes), case(), case())
        .prop_map(|(code, one, other)| [in_case(code, &one), in_case(&code.to_ascii_lowercase(), &other)]);
    Spellings {
        equal: padded(equal),
        different: different(coin),
        refused: refused(REFUSED, "currency_unknown"),
        other_kinds: not_strings(),
        empty: blank(),
    }
}

/// Two codes; where amounts are in the first, the second has as many decimal places.
fn different(coin: Option<&'static Coin>) -> Option<BoxedStrategy<[Json; 2]>> {
    let coins = Coin::all();
    let pairs: Vec<[String; 2]> = match coin {
        Some(coin) => {
            let alike = coins.iter().filter(|other| other.minor == coin.minor && *other != coin);
            alike.map(|other| [coin.code, other.code].map(String::from)).collect()
        }
        None => coins
            .iter()
            .zip(coins.iter().skip(1))
            .map(|(one, other)| [one.code, other.code].map(String::from))
            .collect(),
    };
    (!pairs.is_empty()).then(|| cycle(&pairs).prop_map(texts).boxed())
}
