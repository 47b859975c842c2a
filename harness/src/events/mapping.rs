//! Where an event's tenant, action, epoch and payload stand.

use std::fmt;
use std::str::FromStr;

use super::encoding::Encoding;

/// Where something of an event comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A column of a table, or a path of a JSON event.
    Column(String),
    /// The same for every event.
    Constant(String),
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// A table, the first row names the columns; what cuts that row into the most fields separates
    /// them: commas, semicolons, tabs or bars.
    Csv,
    /// A table separated by tabs, the first row names the columns.
    Tsv,
}

/// What separates the fields of a row: an ASCII character that is no quote, letter, digit or line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiter(u8);

impl Delimiter {
    pub(super) fn of(byte: u8) -> Self {
        Delimiter(byte)
    }

    pub(super) fn byte(self) -> u8 {
        self.0
    }
}

/// A comma.
impl Default for Delimiter {
    fn default() -> Self {
        Delimiter(b',')
    }
}

/// The character itself, or its name.
impl FromStr for Delimiter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.as_bytes()) {
            ("comma", _) => Ok(Delimiter(b',')),
            ("semicolon", _) => Ok(Delimiter(b';')),
            ("pipe", _) => Ok(Delimiter(b'|')),
            ("tab" | "\\t", _) => Ok(Delimiter(b'\t')),
            (_, [byte])
                if *byte == b'\t' || *byte == b' ' || (byte.is_ascii_punctuation() && *byte != b'"') =>
            {
                Ok(Delimiter(*byte))
            }
            _ => Err(String::from("one ASCII character such as ; or one of comma, semicolon, pipe, tab")),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b',' => f.write_str("comma"),
            b';' => f.write_str("semicolon"),
            b'|' => f.write_str("pipe"),
            b'\t' => f.write_str("tab"),
            byte => write!(f, "{}", char::from(byte)),
        }
    }
}

/// What a number means that says when an intent was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum EpochUnit {
    /// Seconds since 1970.
    #[default]
    Seconds,
    /// Milliseconds since 1970; what is less than a second is cut.
    Milliseconds,
}

/// How events are mapped to intents.
///
/// The default takes what `derive` takes: the members `tenant`, `action`, `intent_epoch` and
/// `payload`. Where there is no `payload`, the rest of the event is it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    /// How the files are written; `None` looks at their names and first bytes.
    pub format: Option<Format>,
    /// What separates the fields of a table; `None`: what cuts its first row into the most.
    pub delimiter: Option<Delimiter>,
    /// How the text is encoded. `None`: UTF-8, or UTF-16 with a byte order mark; then a table whose
    /// beginning is neither is refused as a whole.
    pub encoding: Option<Encoding>,
    /// Where the tenant comes from; `None` is the column `tenant`.
    pub tenant: Option<Origin>,
    /// Where the action comes from; `None` is the column `action`.
    pub action: Option<Origin>,
    /// Where the epoch comes from; `None` is the column `intent_epoch`.
    pub epoch: Option<Origin>,
    /// The unit of epochs that are numbers.
    pub epoch_unit: EpochUnit,
    /// How epochs that are text are written, as `strptime` has it: `%m/%d/%Y %H:%M`; else as ISO 8601.
    pub epoch_format: Option<String>,
    /// Whether a date and time without an offset is taken for UTC; else it is refused.
    pub assume_utc: bool,
    /// Columns of a table whose numbers have a decimal comma, and points between thousands if anything.
    pub decimal_comma: Vec<String>,
    /// The column that holds the payload, in a table as JSON text. All other columns are then no
    /// part of it.
    pub payload: Option<String>,
    /// Columns of the export that are no part of the payload.
    pub drop: Vec<String>,
    /// The column or path of the true intent id.
    pub truth: Option<String>,
}

impl FromStr for Origin {
    type Err = String;

    /// A name is a column; `=text` is the same for every event.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix('=') {
            Some("") => Err(String::from("= is followed by the text that every event gets")),
            Some(constant) => Ok(Origin::Constant(constant.to_owned())),
            None if text.is_empty() => Err(String::from("a column has a name")),
            None => Ok(Origin::Column(text.to_owned())),
        }
    }
}

impl Mapping {
    /// The origins with their defaults.
    pub(super) fn origins(&self) -> [Origin; 3] {
        let or = |origin: &Option<Origin>, name: &str| {
            origin.clone().unwrap_or_else(|| Origin::Column(name.to_owned()))
        };
        [or(&self.tenant, "tenant"), or(&self.action, "action"), or(&self.epoch, "intent_epoch")]
    }
}
