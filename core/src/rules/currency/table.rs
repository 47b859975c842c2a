//! The ISO 4217 codes and their minor units.
//!
//! Sources:
//! - the maintenance agency's List One, XML published 2024-06-25, all 179 codes (it has amendment
//!   177, ZWG);
//! - amendment 176: XCG, Caribbean guilder, two decimals, effective 2025-03-31;
//! - amendment 179: XAD, Arab accounting dinar, two decimals, effective 2025-05-12;
//! - List One published 2026-01-01, compared whole: nothing else is new and no minor unit changed;
//! - List One published 2026-09-17, through data sets made from it: 178 codes again, as many of each
//!   minor unit, none of them new.
//!
//! ANG, CUC and BGN (amendment 180) have left List One since 2024. They stay here: codes are added,
//! never removed, because a payment that once had a key must have it for ever.

/// The publication date of the newest List One that this table covers.
pub const ISO_4217_DATE: &str = "2026-09-17";

/// What stands in [`LIST`] where ISO 4217 says `N.A.` (metals, baskets, test codes).
const NOT_APPLICABLE: u8 = b'-';

/// Bytes of one row of [`LIST`]: three letters, the minor units, a space for the reader.
const ROW: usize = 5;

/// Every code with its minor units, sorted; kept as text, so that a change is read in a diff.
const LIST: &[u8; 181 * ROW] = b"\
    AED2 AFN2 ALL2 AMD2 ANG2 AOA2 ARS2 AUD2 AWG2 AZN2 \
    BAM2 BBD2 BDT2 BGN2 BHD3 BIF0 BMD2 BND2 BOB2 BOV2 BRL2 BSD2 BTN2 BWP2 BYN2 BZD2 \
    CAD2 CDF2 CHE2 CHF2 CHW2 CLF4 CLP0 CNY2 COP2 COU2 CRC2 CUC2 CUP2 CVE2 CZK2 \
    DJF0 DKK2 DOP2 DZD2 \
    EGP2 ERN2 ETB2 EUR2 \
    FJD2 FKP2 \
    GBP2 GEL2 GHS2 GIP2 GMD2 GNF0 GTQ2 GYD2 \
    HKD2 HNL2 HTG2 HUF2 \
    IDR2 ILS2 INR2 IQD3 IRR2 ISK0 \
    JMD2 JOD3 JPY0 \
    KES2 KGS2 KHR2 KMF0 KPW2 KRW0 KWD3 KYD2 KZT2 \
    LAK2 LBP2 LKR2 LRD2 LSL2 LYD3 \
    MAD2 MDL2 MGA2 MKD2 MMK2 MNT2 MOP2 MRU2 MUR2 MVR2 MWK2 MXN2 MXV2 MYR2 MZN2 \
    NAD2 NGN2 NIO2 NOK2 NPR2 NZD2 \
    OMR3 \
    PAB2 PEN2 PGK2 PHP2 PKR2 PLN2 PYG0 \
    QAR2 \
    RON2 RSD2 RUB2 RWF0 \
    SAR2 SBD2 SCR2 SDG2 SEK2 SGD2 SHP2 SLE2 SOS2 SRD2 SSP2 STN2 SVC2 SYP2 SZL2 \
    THB2 TJS2 TMT2 TND3 TOP2 TRY2 TTD2 TWD2 TZS2 \
    UAH2 UGX0 USD2 USN2 UYI0 UYU2 UYW4 UZS2 \
    VED2 VES2 VND0 VUV0 \
    WST2 \
    XAD2 XAF0 XAG- XAU- XBA- XBB- XBC- XBD- XCD2 XCG2 XDR- XOF0 XPD- XPF0 XPT- XSU- XTS- XUA- XXX- \
    YER2 \
    ZAR2 ZMW2 ZWG2 \
    ";

/// Letters of the alphabet that codes are written in.
const LETTERS: usize = 26;

/// Bits of a cell that hold the minor units; the five above them hold the first letter.
const UNITS_BITS: u8 = 3;

/// All of those bits: what a cell holds for [`NOT_APPLICABLE`].
const UNITS_MASK: u8 = (1 << UNITS_BITS) - 1;

/// The cells that the list needs, found by trying: one fewer does not compile.
const CELLS: usize = 690;

/// The list, laid out for one look-up in under a kilobyte, where a binary search takes eight steps.
static INDEX: Index = Index::of_list();

/// How many decimals an amount in a currency has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MinorUnits {
    /// So many decimals.
    Digits(u8),
    /// ISO 4217 gives none (`N.A.`): there is no smallest amount to round to.
    NotApplicable,
}

/// Looks up a code in upper-case ASCII; `None` where it is not in the list.
pub(super) fn minor_units(code: [u8; 3]) -> Option<MinorUnits> {
    let [first, second, third] = code.map(|letter| usize::from(letter.wrapping_sub(b'A')));
    if third >= LETTERS {
        return None;
    }
    let start = usize::from(*INDEX.starts.get(first)?);
    let cell = *INDEX.cells.get(start + second * LETTERS + third)?;
    if usize::from(cell >> UNITS_BITS) != first + 1 {
        return None;
    }
    Some(match cell & UNITS_MASK {
        UNITS_MASK => MinorUnits::NotApplicable,
        digits => MinorUnits::Digits(digits),
    })
}

/// A square of second and third letters for each first letter, the squares laid over one another so
/// that no two codes share a cell. A cell names its first letter (from 1), so that a code of another
/// square is not taken for it; 0 is empty.
struct Index {
    starts: [u16; LETTERS],
    cells: [u8; CELLS],
}

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where a panic is a failed build")]
impl Index {
    const fn of_list() -> Self {
        let mut index = Self { starts: [0; LETTERS], cells: [0; CELLS] };
        let mut first = 0;
        while first < LETTERS {
            while !index.is_free(first) {
                index.starts[first] += 1;
            }
            index.fill(first);
            first += 1;
        }
        index
    }

    /// Whether the codes of a first letter find only empty cells from its present start.
    const fn is_free(&self, first: usize) -> bool {
        let mut rest: &[u8] = LIST;
        while let Some((row, after)) = rest.split_first_chunk() {
            if letter(row[0]) == first && self.cells[self.position(row)] != 0 {
                return false;
            }
            rest = after;
        }
        true
    }

    const fn fill(&mut self, first: usize) {
        let mut rest: &[u8] = LIST;
        while let Some((row, after)) = rest.split_first_chunk() {
            if letter(row[0]) == first {
                let units = match row[3] {
                    NOT_APPLICABLE => UNITS_MASK,
                    digit => digit - b'0',
                };
                self.cells[self.position(row)] = (row[0] - b'A' + 1) << UNITS_BITS | units;
            }
            rest = after;
        }
    }

    const fn position(&self, row: &[u8; ROW]) -> usize {
        self.starts[letter(row[0])] as usize + letter(row[1]) * LETTERS + letter(row[2])
    }
}

const fn letter(byte: u8) -> usize {
    (byte - b'A') as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(code: &[u8; 3]) -> Option<u8> {
        match minor_units(*code) {
            Some(MinorUnits::Digits(digits)) => Some(digits),
            _ => None,
        }
    }

    #[test]
    fn minor_units_are_those_of_the_list() {
        for (code, expected) in [
            (b"BRL", 2),
            (b"USD", 2),
            (b"EUR", 2),
            (b"MGA", 2),
            (b"MRU", 2),
            (b"HUF", 2),
            (b"JPY", 0),
            (b"KRW", 0),
            (b"CLP", 0),
            (b"ISK", 0),
            (b"UYI", 0),
            (b"XOF", 0),
            (b"BHD", 3),
            (b"IQD", 3),
            (b"KWD", 3),
            (b"TND", 3),
            (b"CLF", 4),
            (b"UYW", 4),
            // The two ends of the table.
            (b"AED", 2),
            (b"ZWG", 2),
        ] {
            assert_eq!(digits(code), Some(expected), "{}", code.escape_ascii());
        }
    }

    #[test]
    fn amendments_since_the_base_list_are_in() {
        for code in [b"SLE", b"VED", b"VES", b"XCG", b"XAD", b"ZWG"] {
            assert_eq!(digits(code), Some(2), "{}", code.escape_ascii());
        }
    }

    #[test]
    fn codes_that_left_the_list_stay() {
        for code in [b"ANG", b"BGN", b"CUC"] {
            assert_eq!(digits(code), Some(2), "{}", code.escape_ascii());
        }
    }

    #[test]
    fn metals_baskets_and_test_codes_have_no_minor_unit() {
        for code in [
            b"XAG", b"XAU", b"XBA", b"XBB", b"XBC", b"XBD", b"XDR", b"XPD", b"XPT", b"XSU", b"XTS", b"XUA",
            b"XXX",
        ] {
            assert_eq!(minor_units(*code), Some(MinorUnits::NotApplicable), "{}", code.escape_ascii());
        }
    }

    #[test]
    fn all_else_is_unknown() {
        for code in
            [b"AAA", b"BRM", b"DEM", b"ZZZ", b"XXZ", b"brl", b"BR ", b"BR2", b"\0\0\0", b"\xff\xff\xff"]
        {
            assert_eq!(minor_units(*code), None, "{}", code.escape_ascii());
        }
    }

    #[test]
    fn list_is_sorted_and_well_formed() {
        assert!(LIST.as_chunks::<ROW>().1.is_empty());
        assert!(rows().is_sorted_by(|one, next| one[..3] < next[..3]));
        for &[a, b, c, units, space] in rows() {
            assert!([a, b, c].iter().all(u8::is_ascii_uppercase));
            assert!(matches!(units, b'0' | b'2' | b'3' | b'4' | NOT_APPLICABLE));
            assert_eq!(space, b' ');
        }
    }

    #[test]
    fn list_has_so_many_codes() {
        let with = |wanted: u8| rows().iter().filter(|row| row[3] == wanted).count();
        assert_eq!(rows().len(), 181);
        assert_eq!([b'0', b'2', b'3', b'4', NOT_APPLICABLE].map(with), [17, 142, 7, 2, 13]);
    }

    #[test]
    fn index_finds_the_list_and_nothing_else() {
        for number in 0..=0x00ff_ffff_u32 {
            let [_, a, b, c] = number.to_be_bytes();
            let listed =
                rows().binary_search_by(|row| row[..3].cmp(&[a, b, c])).ok().map(|found| {
                    match rows()[found][3] {
                        NOT_APPLICABLE => MinorUnits::NotApplicable,
                        digit => MinorUnits::Digits(digit - b'0'),
                    }
                });
            assert_eq!(minor_units([a, b, c]), listed, "{number:06x}");
        }
    }

    fn rows() -> &'static [[u8; ROW]] {
        LIST.as_chunks().0
    }
}
