//! The size table, and the limits that a build must keep.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::places::Places;
use crate::sections;
use crate::tools::brotli_size;

/// What is measured of a file.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    Raw,
    Brotli,
}

/// A file, and the most that it may have.
struct Limit {
    file: PathBuf,
    measure: Measure,
    bytes: usize,
}

/// The files of a build, for the table.
#[derive(Default)]
pub(crate) struct Report {
    limits: Vec<Limit>,
    named: Vec<(&'static str, PathBuf)>,
}

impl Report {
    /// A file with a limit.
    pub(crate) fn limit(&mut self, file: PathBuf, measure: Measure, bytes: usize) {
        self.limits.push(Limit { file, measure, bytes });
    }

    /// A module that still has its names, to say where its bytes go.
    pub(crate) fn named(&mut self, title: &'static str, module: PathBuf) {
        self.named.push((title, module));
    }

    /// Prints all of it; `check` refuses what is too large.
    pub(crate) fn print(&self, places: &Places, check: bool) -> Result<()> {
        println!("{:34} {:>9} {:>9}   limit", "file", "raw", "brotli");
        let mut too_large = Vec::new();
        for limit in &self.limits {
            too_large.extend(limit.print(places)?);
        }
        for (title, module) in &self.named {
            print_by_crate(title, module)?;
        }
        if too_large.is_empty() {
            return Ok(());
        }
        let message = format!("larger than wanted: {}", too_large.join(", "));
        ensure!(!check, message);
        println!("\n{message}");
        Ok(())
    }
}

impl Limit {
    /// Prints the file's line; gives its name where it is too large.
    fn print(&self, places: &Places) -> Result<Option<String>> {
        let name = self.file.strip_prefix(&places.out).unwrap_or(&self.file).display().to_string();
        let raw = usize::try_from(fs::metadata(&self.file)?.len())?;
        let brotli = brotli_size(&self.file)?;
        let (size, unit) = match self.measure {
            Measure::Raw => (raw, "raw"),
            Measure::Brotli => (brotli, "brotli"),
        };
        println!("{name:34} {raw:>9} {brotli:>9}   {} {unit}", self.bytes);
        Ok((size > self.bytes).then_some(name))
    }
}

/// Crates with less than this are counted together.
const WORTH_A_LINE: usize = 512;

fn print_by_crate(title: &str, module: &Path) -> Result<()> {
    let mut rest = 0;
    let mut lines: Vec<(String, usize)> = Vec::new();
    for (owner, size) in sections::by_crate(&fs::read(module)?)? {
        if size < WORTH_A_LINE {
            rest += size;
        } else {
            lines.push((owner, size));
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.1));
    lines.push(("(all else)".to_owned(), rest));
    println!("\nwhere the bytes of {title} go");
    for (owner, size) in lines {
        println!("{owner:34} {size:>9}");
    }
    Ok(())
}
