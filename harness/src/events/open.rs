//! Files of events: opened, decompressed, and told apart.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::encoding::Encoding;
use super::mapping::{Format, Mapping};
use super::watch::{Counted, Patient, Watch};

/// The first bytes of a gzip member (RFC 1952).
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The first bytes of a Zstandard frame (RFC 8878).
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Where events are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file. It can be read a second time, for what the events in question have in them.
    File(PathBuf),
    /// Standard input, once.
    Stdin,
}

/// `-` is standard input.
impl From<&Path> for Input {
    fn from(path: &Path) -> Self {
        if path == Path::new("-") { Input::Stdin } else { Input::File(path.to_owned()) }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::File(path) => write!(f, "{}", path.display()),
            Input::Stdin => f.write_str("standard input"),
        }
    }
}

/// A file's bytes, decompressed, and what it looks to be.
pub(super) struct Opened {
    pub(super) bytes: Box<dyn BufRead + Send>,
    pub(super) format: Format,
}

impl Input {
    /// The size of the file as it is stored; `None` where nobody knows.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Input::File(path) => std::fs::metadata(path).ok().map(|metadata| metadata.len()),
            Input::Stdin => None,
        }
    }

    /// Opens the file; its bytes are counted as they are stored.
    pub(super) fn open(&self, mapping: &Mapping, watch: &Watch) -> io::Result<Opened> {
        let raw: Box<dyn Read + Send> = match self {
            Input::File(path) => Box::new(File::open(path)?),
            Input::Stdin => Box::new(Patient::new(io::stdin(), watch)),
        };
        let raw = BufReader::with_capacity(1 << 17, Counted { inner: raw, watch: watch.clone() });
        let mut bytes = decompressed(raw)?;
        let encoding = match mapping.encoding {
            None => Encoding::of_mark(bytes.fill_buf()?),
            said => said.filter(|encoding| !encoding.is_utf8()),
        };
        if let Some(encoding) = encoding {
            bytes = Box::new(encoding.decoded(bytes));
        }
        let format = match mapping.format.or_else(|| self.format_by_name()) {
            Some(format) => format,
            None => format_by_content(&mut bytes)?,
        };
        Ok(Opened { bytes, format })
    }

    /// Whether the name says that it is a table, or compressed.
    pub(crate) fn is_no_plain_text(&self) -> bool {
        let name = self.to_string().to_ascii_lowercase();
        matches!(self.format_by_name(), Some(Format::Csv | Format::Tsv))
            || [".gz", ".zst"].iter().any(|end| name.ends_with(end))
    }

    /// What the name says, without what compression adds to it.
    fn format_by_name(&self) -> Option<Format> {
        let Input::File(path) = self else { return None };
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            "jsonl" | "ndjson" | "json" => Some(Format::Jsonl),
            "csv" => Some(Format::Csv),
            "tsv" => Some(Format::Tsv),
            _ => None,
        }
    }
}

fn decompressed(mut raw: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let start = raw.fill_buf()?;
    if start.starts_with(GZIP) {
        return Ok(Box::new(BufReader::with_capacity(1 << 17, MultiGzDecoder::new(raw))));
    }
    if start.starts_with(ZSTD) {
        return Ok(Box::new(BufReader::with_capacity(1 << 17, Frames::new(raw))));
    }
    Ok(Box::new(raw))
}

/// JSON begins with a brace or a bracket, after white space and a byte order mark.
fn format_by_content(bytes: &mut Box<dyn BufRead + Send>) -> io::Result<Format> {
    let start = bytes.fill_buf()?;
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    Ok(if start.is_empty() || start.starts_with(b"{") || start.starts_with(b"[") {
        Format::Jsonl
    } else {
        Format::Csv
    })
}

/// Zstandard frames one after the other, their checksums compared.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// Whether a frame has begun and not ended.
    inside: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(source: R) -> Self {
        Frames { source, decoder: FrameDecoder::new(), inside: false }
    }

    /// Begins the next frame that holds data; tells whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(damaged(&error)),
            }
        }
    }

    /// Ends a frame, all of which was read.
    fn end(&mut self) -> io::Result<()> {
        self.inside = false;
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a Zstandard checksum does not match"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.inside {
                self.inside = self.begin()?;
                if !self.inside {
                    return Ok(0);
                }
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.end()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(|error| damaged(&error))?;
            }
        }
    }
}

fn damaged(error: &FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("Zstandard: {error}"))
}
