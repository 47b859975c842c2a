//! What the commands that read events have in common: the mapping, the progress, the interrupt.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use crate::audit::Control;
use crate::events::{Delimiter, Encoding, EpochUnit, Format, Input, Mapping, Origin};

/// How often the progress line changes.
const TICK: Duration = Duration::from_millis(100);

/// How files of events are written.
#[derive(Debug, clap::Args)]
pub(super) struct FileArgs {
    /// How the files are written; else their names and first bytes say it
    #[arg(help_heading = "Files", long, value_name = "FORMAT")]
    format: Option<Format>,

    /// What separates the fields of a table: a character, or comma, semicolon, pipe or tab; else
    /// what cuts the first row into the most fields
    #[arg(help_heading = "Files", long, value_name = "CHARACTER")]
    delimiter: Option<Delimiter>,

    /// How the text is encoded, such as windows-1252; else UTF-8, or UTF-16 with a byte order mark
    #[arg(help_heading = "Files", long, value_name = "LABEL")]
    encoding: Option<Encoding>,

    /// A column of a table whose numbers are written 1.234,56; may be given more than once
    #[arg(help_heading = "Files", long, value_name = "COLUMN")]
    decimal_comma: Vec<String>,
}

impl FileArgs {
    /// A mapping that says how files are written, and nothing else.
    pub(super) fn mapping(&self) -> Mapping {
        Mapping {
            format: self.format,
            delimiter: self.delimiter,
            encoding: self.encoding,
            decimal_comma: self.decimal_comma.clone(),
            ..Mapping::default()
        }
    }
}

/// How events are mapped to intents.
#[derive(Debug, clap::Args)]
pub(super) struct MappingArgs {
    #[command(flatten)]
    files: FileArgs,

    /// The tenant: a column, or =TEXT for all events
    #[arg(help_heading = "Mapping", long, value_name = "COLUMN|=TEXT")]
    tenant: Option<Origin>,

    /// The action: a column, or =TEXT for all events
    #[arg(help_heading = "Mapping", long, value_name = "COLUMN|=TEXT")]
    action: Option<Origin>,

    /// When the intent was decided: a column of seconds, or of dates and times with an offset
    #[arg(help_heading = "Mapping", long, value_name = "COLUMN|=TEXT")]
    epoch: Option<Origin>,

    /// The unit of epochs that are numbers
    #[arg(help_heading = "Mapping", long, value_name = "UNIT", default_value = "seconds")]
    epoch_unit: EpochUnit,

    /// How dates and times are written, as strptime has it: "%d/%m/%Y %H:%M"; else ISO 8601
    #[arg(help_heading = "Mapping", long, value_name = "FORMAT", value_parser = epoch_format)]
    epoch_format: Option<String>,

    /// Take dates and times without an offset for UTC
    #[arg(help_heading = "Mapping", long)]
    assume_utc: bool,

    /// The column of the payload (in CSV as JSON text); all other columns are no part of it
    #[arg(help_heading = "Mapping", long, value_name = "COLUMN")]
    payload: Option<String>,

    /// The column or path of the true intent id, which is no part of the payload
    #[arg(help_heading = "Mapping", long, value_name = "FIELD")]
    truth: Option<String>,

    /// A column that is no part of the payload; may be given more than once
    #[arg(help_heading = "Mapping", long, value_name = "COLUMN")]
    drop: Vec<String>,
}

impl MappingArgs {
    pub(super) fn mapping(&self) -> Mapping {
        Mapping {
            tenant: self.tenant.clone(),
            action: self.action.clone(),
            epoch: self.epoch.clone(),
            epoch_unit: self.epoch_unit,
            epoch_format: self.epoch_format.clone(),
            assume_utc: self.assume_utc,
            payload: self.payload.clone(),
            drop: self.drop.clone(),
            truth: self.truth.clone(),
            ..self.files.mapping()
        }
    }
}

/// A format that writes a date writes one that it reads.
fn epoch_format(format: &str) -> Result<String, String> {
    match jiff::fmt::strtime::format(format, jiff::Timestamp::UNIX_EPOCH) {
        Ok(_) if format.contains('%') => Ok(format.to_owned()),
        Ok(_) => Err(String::from("it has no % with what stands there, such as %d/%m/%Y")),
        Err(error) => Err(error.to_string()),
    }
}

/// The first interrupt ends the reading; the second ends the process.
pub(super) fn stop_on_interrupt(control: &Control) -> Result<(), Failure> {
    let stop = control.watch.stop.clone();
    ctrlc::set_handler(move || {
        if stop.swap(true, Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(())
}

/// A line on standard error that says how far reading has come; nothing in a pipe.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    control: Control,
    began: Instant,
}

impl Progress {
    pub(super) fn begin(control: &Control, inputs: &[Input]) -> Self {
        let bar = stderr().is_terminal().then(|| bar(inputs)).flatten();
        let began = Instant::now();
        if let Some(bar) = bar.clone() {
            let control = control.clone();
            thread::spawn(move || {
                while !bar.is_finished() {
                    let read = control.watch.bytes.load(Relaxed);
                    bar.set_position(read.min(bar.length().unwrap_or(u64::MAX)));
                    let events = control.events.load(Relaxed);
                    let rate = events as f64 / began.elapsed().as_secs_f64().max(0.001);
                    bar.set_message(match bar.length() {
                        Some(length) if read >= length => format!("{events} events, comparing"),
                        _ => format!("{events} events, {rate:.0}/s"),
                    });
                    thread::sleep(TICK);
                }
            });
        }
        Progress { bar, control: control.clone(), began }
    }

    pub(super) fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
            let (events, seconds) = (self.control.events.load(Relaxed), self.began.elapsed().as_secs_f64());
            let rate = events as f64 / seconds.max(0.001);
            // What is not shown is no loss.
            let _ = writeln!(stderr(), "{events} events in {seconds:.1} s, {rate:.0}/s");
        }
    }
}

fn bar(inputs: &[Input]) -> Option<ProgressBar> {
    let sizes: Option<u64> = inputs.iter().map(Input::size).sum();
    let (bar, template) = match sizes {
        Some(size) => (ProgressBar::new(size), "{bar:30} {percent}% of {total_bytes}, {msg}, {eta} left"),
        None => (ProgressBar::no_length(), "{spinner} {bytes}, {msg}, {elapsed}"),
    };
    bar.set_message("0 events");
    bar.set_style(ProgressStyle::with_template(template).ok()?);
    Some(bar)
}
