//! Examples from files: TOML or JSON, one schema.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use intentkey_core::Code;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{Example, Examples, Expectation, SECRET, Sketch};

/// Why a file of examples cannot be used.
#[derive(Debug)]
pub struct Unusable(String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unusable {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<P> {
    tenant: Option<String>,
    action: Option<String>,
    intent_epoch: Option<u64>,
    secret_hex: Option<String>,
    #[serde(default = "Vec::new")]
    same: Vec<Group<P>>,
    #[serde(default = "Vec::new")]
    different: Vec<Group<P>>,
    #[serde(default = "Vec::new")]
    conflict: Vec<Group<P>>,
    #[serde(default = "Vec::new")]
    refused: Vec<Group<P>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group<P> {
    name: String,
    tenant: Option<String>,
    action: Option<String>,
    intent_epoch: Option<u64>,
    key: Option<String>,
    code: Option<String>,
    field: Option<String>,
    #[serde(default = "Vec::new")]
    payloads: Vec<P>,
    #[serde(default = "Vec::new")]
    intents: Vec<Intent<P>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Intent<P> {
    tenant: Option<String>,
    action: Option<String>,
    intent_epoch: Option<u64>,
    payload: P,
}

/// A payload as a format holds it.
trait Payload: DeserializeOwned {
    /// Its JSON text, where it has one. A string is JSON text already: what a format cannot say
    /// otherwise, such as null in TOML or a name that occurs twice.
    fn text(&self) -> Option<String>;
}

impl Payload for Box<RawValue> {
    fn text(&self) -> Option<String> {
        let text = self.get();
        if text.starts_with('"') { serde_json::from_str(text).ok() } else { Some(text.to_owned()) }
    }
}

impl Payload for toml::Value {
    fn text(&self) -> Option<String> {
        match self {
            toml::Value::String(text) => Some(text.clone()),
            other => json_of(other).map(|value| value.to_string()),
        }
    }
}

/// The same value in JSON; dates as text. What JSON cannot say (infinity) is none.
fn json_of(value: &toml::Value) -> Option<serde_json::Value> {
    Some(match value {
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(integer) => (*integer).into(),
        toml::Value::Float(float) => serde_json::Number::from_f64(*float)?.into(),
        toml::Value::Boolean(boolean) => (*boolean).into(),
        toml::Value::Datetime(moment) => moment.to_string().into(),
        toml::Value::Array(elements) => elements.iter().map(json_of).collect::<Option<_>>()?,
        toml::Value::Table(members) => members
            .iter()
            .map(|(name, value)| Some((name.clone(), json_of(value)?)))
            .collect::<Option<serde_json::Map<_, _>>>()?
            .into(),
    })
}

impl Examples {
    /// Reads examples from a file: JSON where its name ends in `.json`, else TOML.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, and as [`Examples::from_toml`].
    pub fn read(path: &Path) -> Result<Self, Unusable> {
        let within = |message: String| Unusable(format!("{}: {message}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| within(error.to_string()))?;
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let read = if is_json { Examples::from_json(&text) } else { Examples::from_toml(&text) };
        read.map_err(|Unusable(message)| within(message))
    }

    /// Reads examples from TOML: arrays of tables `[[same]]`, `[[different]]`, `[[conflict]]` and
    /// `[[refused]]`.
    ///
    /// Each has a `name` and `payloads`, or `intents` with a `tenant`, `action`, `intent_epoch` and
    /// `payload` of their own; what is left out comes from the group, the file, and then the
    /// policy. `refused` has the `code` and may name the `field`; `same` may pin the `key`. A
    /// payload that is a string is JSON text.
    ///
    /// # Errors
    ///
    /// Anything unknown or missing, with its line; names that are empty or occur twice; unknown
    /// codes; groups of fewer than two where two are needed.
    pub fn from_toml(text: &str) -> Result<Self, Unusable> {
        let file: File<toml::Value> = toml::from_str(text).map_err(|error| Unusable(error.to_string()))?;
        examples(file)
    }

    /// Reads examples from JSON, in the same schema as TOML.
    ///
    /// # Errors
    ///
    /// As [`Examples::from_toml`].
    pub fn from_json(text: &str) -> Result<Self, Unusable> {
        let file: File<Box<RawValue>> =
            serde_json::from_str(text).map_err(|error| Unusable(error.to_string()))?;
        examples(file)
    }
}

fn examples<P: Payload>(mut file: File<P>) -> Result<Examples, Unusable> {
    let secret = match &file.secret_hex {
        None => SECRET,
        Some(digits) => secret(digits)?,
    };
    let tables = [
        ("same", std::mem::take(&mut file.same)),
        ("different", std::mem::take(&mut file.different)),
        ("conflict", std::mem::take(&mut file.conflict)),
        ("refused", std::mem::take(&mut file.refused)),
    ];
    let mut examples = Vec::new();
    let mut names = BTreeSet::new();
    for (kind, groups) in tables {
        for group in groups {
            let wrong = |message: &str| Unusable(format!("[[{kind}]] {:?}: {message}", group.name));
            if group.name.trim().is_empty() || !names.insert(group.name.clone()) {
                return Err(wrong("an example has a name, and no other has the same"));
            }
            let expectation = expectation(kind, &group).map_err(|message| wrong(&message))?;
            let intents =
                sketches(&file, &group).ok_or_else(|| wrong("a payload holds a number that JSON has not"))?;
            let least = match &expectation {
                Expectation::Different | Expectation::Conflict => 2,
                _ => 1,
            };
            if intents.len() < least {
                return Err(wrong(&format!("needs at least {least} of payloads and intents together")));
            }
            examples.push(Example { name: group.name, expectation, intents });
        }
    }
    Ok(Examples { examples, secret })
}

fn secret(digits: &str) -> Result<[u8; 32], Unusable> {
    let bytes = (digits.len() == 64).then(|| {
        (0..32).map(|index| {
            digits.get(index * 2..index * 2 + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok())
        })
    });
    let bytes: Option<Vec<u8>> = bytes.and_then(Iterator::collect);
    let bytes = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    bytes.ok_or_else(|| {
        Unusable(String::from("secret_hex: 64 hex digits, of a secret made for examples alone"))
    })
}

fn expectation<P>(kind: &str, group: &Group<P>) -> Result<Expectation, String> {
    let only = |is: bool, name: &str, table: &str| {
        if is { Ok(()) } else { Err(format!("{name} belongs to [[{table}]] alone")) }
    };
    only(group.key.is_none() || kind == "same", "key", "same")?;
    only(group.code.is_none() || kind == "refused", "code", "refused")?;
    only(group.field.is_none() || kind == "refused", "field", "refused")?;
    match (kind, &group.code) {
        ("same", _) => Ok(Expectation::Same { key: group.key.clone() }),
        ("different", _) => Ok(Expectation::Different),
        ("conflict", _) => Ok(Expectation::Conflict),
        (_, None) => Err(String::from("says no code")),
        (_, Some(code)) if Code::ALL.iter().any(|known| known.as_str() == code) => {
            Ok(Expectation::Refused { code: code.clone(), field: group.field.clone() })
        }
        (_, Some(code)) => Err(format!("there is no code {code}")),
    }
}

/// The intents of a group; none where a payload cannot be said in JSON.
fn sketches<P: Payload>(file: &File<P>, group: &Group<P>) -> Option<Vec<Sketch>> {
    let sketch = |tenant: &Option<String>, action: &Option<String>, epoch: Option<u64>, payload: &P| {
        Some(Sketch {
            tenant: tenant.clone().or_else(|| group.tenant.clone()).or_else(|| file.tenant.clone()),
            action: action.clone().or_else(|| group.action.clone()).or_else(|| file.action.clone()),
            epoch: epoch.or(group.intent_epoch).or(file.intent_epoch),
            payload: payload.text()?,
        })
    };
    let payloads = group.payloads.iter().map(|payload| sketch(&None, &None, None, payload));
    let intents = group
        .intents
        .iter()
        .map(|intent| sketch(&intent.tenant, &intent.action, intent.intent_epoch, &intent.payload));
    payloads.chain(intents).collect()
}
