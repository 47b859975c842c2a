//! Secrets from files and the environment; never from an argument, which every process can see.

use std::fmt;
use std::path::{Path, PathBuf};

use base64ct::{Base64, Base64Unpadded, Base64Url, Base64UrlUnpadded, Encoding as _};
use intentkey_core::{Keyring, Refusal, Secret};
use zeroize::Zeroizing;

/// The environment variable that holds a secret in hex, where no file is named.
pub const ENVIRONMENT: &str = "INTENTKEY_SECRET";

/// How a secret file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// The bytes of the file are the secret, printable text too.
    Raw,
    /// Hexadecimal digits.
    Hex,
    /// Base64, standard or URL-safe, padded or not.
    Base64,
}

/// Where secrets come from: a file, a keyring, or else the environment.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Source {
    /// A file that holds one secret; without it and without a keyring, INTENTKEY_SECRET (hex) is used
    #[arg(long, value_name = "FILE", conflicts_with = "keyring")]
    secret_file: Option<PathBuf>,

    /// How the secret file is written; needed where it holds printable text
    #[arg(long, value_name = "FORMAT", requires = "secret_file")]
    secret_format: Option<Format>,

    /// A JSON file of secrets over time: [{"id", "from_epoch", "secret_hex"}]
    #[arg(long, value_name = "FILE")]
    keyring: Option<PathBuf>,
}

/// Why there is no keyring. It shows nothing of a secret.
#[derive(Debug)]
pub enum SecretError {
    /// Nothing was named, and the environment holds nothing.
    None,
    /// A file could not be read.
    Unreadable(PathBuf, std::io::Error),
    /// A file of printable text, and nobody says what it is.
    Printable(PathBuf),
    /// Text from this source that is not what the format says.
    Malformed(String, &'static str),
    /// The core refuses what comes from this source.
    Refused(String, Refusal),
}

impl fmt::Display for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretError::None => write!(
                f,
                "no secret: name one with --secret-file or --keyring, or set {ENVIRONMENT} to its hex digits"
            ),
            SecretError::Unreadable(path, error) => write!(f, "{}: {error}", path.display()),
            SecretError::Printable(path) => write!(
                f,
                "{}: a secret file holds raw bytes, and this is printable text: say what it is with \
                 --secret-format raw, hex or base64",
                path.display()
            ),
            SecretError::Malformed(source, format) => write!(f, "{source}: this is not {format}"),
            SecretError::Refused(source, refusal) => write!(f, "{source}: {refusal}"),
        }
    }
}

impl std::error::Error for SecretError {}

impl Source {
    /// Reads the secrets.
    ///
    /// # Errors
    ///
    /// Where there are none, they cannot be read, or are not what they should be.
    pub fn load(&self) -> Result<Keyring, SecretError> {
        if let Some(path) = &self.keyring {
            let source = path.display().to_string();
            let bytes = Zeroizing::new(read(path)?);
            let malformed = || SecretError::Malformed(source.clone(), "a keyring, which is JSON text");
            let text = std::str::from_utf8(&bytes).map_err(|_| malformed())?;
            return Keyring::from_json(text).map_err(|refusal| SecretError::Refused(source, refusal));
        }
        if let Some(path) = &self.secret_file {
            return Ok(secret_file(path, self.secret_format)?.into());
        }
        let digits = Zeroizing::new(std::env::var(ENVIRONMENT).map_err(|_| SecretError::None)?);
        Ok(hex(ENVIRONMENT, &digits)?.into())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SecretError> {
    std::fs::read(path).map_err(|error| SecretError::Unreadable(path.to_owned(), error))
}

fn secret_file(path: &Path, format: Option<Format>) -> Result<Secret, SecretError> {
    let source = path.display().to_string();
    let bytes = Zeroizing::new(read(path)?);
    let malformed = |what| SecretError::Malformed(source.clone(), what);
    match format {
        None if !bytes.is_empty() && is_printable(&bytes) => Err(SecretError::Printable(path.to_owned())),
        None | Some(Format::Raw) => secret(&source, bytes.to_vec()),
        Some(Format::Hex) => hex(&source, text(&bytes).ok_or_else(|| malformed("hex"))?),
        Some(Format::Base64) => {
            let text = text(&bytes).ok_or_else(|| malformed("base64"))?;
            let decoded = Base64::decode_vec(text)
                .or_else(|_| Base64Unpadded::decode_vec(text))
                .or_else(|_| Base64Url::decode_vec(text))
                .or_else(|_| Base64UrlUnpadded::decode_vec(text))
                .map_err(|_| malformed("base64"))?;
            secret(&source, decoded)
        }
    }
}

fn secret(source: &str, bytes: Vec<u8>) -> Result<Secret, SecretError> {
    Secret::new(bytes).map_err(|refusal| SecretError::Refused(source.to_owned(), refusal))
}

fn hex(source: &str, digits: &str) -> Result<Secret, SecretError> {
    Secret::from_hex(digits.trim()).map_err(|refusal| match refusal.code() {
        intentkey_core::Code::KeyringInvalid => SecretError::Malformed(source.to_owned(), "hex"),
        _ => SecretError::Refused(source.to_owned(), refusal),
    })
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().map(str::trim)
}

/// Whether people wrote it: 16 random bytes are printable once in four million times.
fn is_printable(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| text.chars().all(|character| !character.is_control() || character.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(bytes: &[u8], format: Option<Format>) -> Result<Keyring, SecretError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, bytes).unwrap();
        Source { secret_file: Some(path), secret_format: format, keyring: None }.load()
    }

    #[test]
    fn printable_text_is_refused_unless_its_format_is_said() {
        let hex = b"000102030405060708090a0b0c0d0e0f\n";
        assert!(matches!(load(hex, None), Err(SecretError::Printable(_))));
        assert!(load(hex, Some(Format::Hex)).is_ok());
        assert!(load(hex, Some(Format::Raw)).is_ok());
        assert!(load(b"AAECAwQFBgcICQoLDA0ODw==\n", Some(Format::Base64)).is_ok());
        assert!(load(b"AAECAwQFBgcICQoLDA0ODw", Some(Format::Base64)).is_ok());
        assert!(load(b"__79AwQFBgcICQoLDA0ODw", Some(Format::Base64)).is_ok());
        assert!(load(&[0x80; 16], None).is_ok());
    }

    #[test]
    fn what_is_no_secret_is_refused_without_showing_it() {
        for (bytes, format) in [
            (&b"planted-secret-zz"[..], Some(Format::Hex)),
            (b"planted-secret-zz!", Some(Format::Base64)),
            (b"planted", Some(Format::Raw)),
            (b"planted-secret-zz", None),
        ] {
            let error = load(bytes, format).unwrap_err();
            assert!(!error.to_string().contains("planted"), "{error}");
            assert!(!format!("{error:?}").contains("planted"), "{error:?}");
        }
    }
}
