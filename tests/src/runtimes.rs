//! The runtimes beside this process: finding them, installing what they need, running them.
//!
//! Everything is put into `conformance/run` of the target folder: the runners, the examples, the
//! built package as `node_modules/intentkey`, and the pinned npm and Python packages.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::report::{Report, Row};
use crate::workspace;

/// What a runner may take: some seconds, on a busy machine a minute.
const DEADLINE: Duration = Duration::from_secs(300);
/// Where Chromium usually is.
const CHROMIUM: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// The folder that runners run in, and what is there.
pub struct Runtimes {
    /// `conformance/run` in the target folder.
    pub folder: PathBuf,
    /// What `cargo pack` built.
    pub pack: PathBuf,
    npm: Result<(), String>,
    python: Result<(), String>,
}

impl Runtimes {
    /// Installs what is missing. What cannot be installed is absent later, not an error now.
    pub fn prepare() -> Result<Self> {
        let folder = workspace::scratch().join("run");
        let pack = workspace::pack()?;
        workspace::copy(&workspace::root().join("tests/runners"), &folder)?;
        workspace::copy(&workspace::root().join("wasm/examples"), &folder.join("examples"))?;
        let npm = install_npm(&folder).map_err(|error| format!("{error:#}"));
        workspace::copy(&pack.join("npm"), &folder.join("node_modules/intentkey"))?;
        let python = install_python(&folder).map_err(|error| format!("{error:#}"));
        Ok(Runtimes { folder, pack, npm, python })
    }

    /// Node, which needs nothing but itself.
    pub fn node(&self, script: &str) -> Result<Command, String> {
        is_there("node")?;
        let mut command = Command::new("node");
        command.arg(script).current_dir(&self.folder);
        Ok(command)
    }

    /// Node with the npm packages.
    pub fn node_with_packages(&self, script: &str) -> Result<Command, String> {
        self.npm.clone()?;
        self.node(script)
    }

    /// Node with the npm packages and Chromium.
    pub fn browser(&self, script: &str) -> Result<Command, String> {
        let mut command = self.node_with_packages(script)?;
        command.env("INTENTKEY_CHROMIUM", chromium()?);
        Ok(command)
    }

    /// Deno, from its npm package.
    pub fn deno(&self, script: &str) -> Result<Command, String> {
        self.npm.clone()?;
        let mut command = Command::new(self.program("@deno", "deno")?);
        command.args([
            "run",
            "--quiet",
            "--no-remote",
            "--node-modules-dir=manual",
            "--allow-read",
            "--allow-env",
        ]);
        command.arg(script).current_dir(&self.folder);
        command.env("DENO_DIR", self.folder.join("deno")).env("DENO_NO_UPDATE_CHECK", "1");
        Ok(command)
    }

    /// Bun, from its npm package.
    pub fn bun(&self, script: &str) -> Result<Command, String> {
        self.npm.clone()?;
        let mut command = Command::new(self.program("@oven", "bin/bun")?);
        command.arg(script).current_dir(&self.folder).env("DO_NOT_TRACK", "1");
        Ok(command)
    }

    /// Python with its packages.
    pub fn python(&self, script: &str) -> Result<Command, String> {
        is_there("python3")?;
        self.python.clone()?;
        let mut command = Command::new("python3");
        command.arg(script).current_dir(&self.folder).env("PYTHONPATH", self.folder.join("python"));
        Ok(command)
    }

    /// The program in the one package of a scope that npm installed for this machine.
    fn program(&self, scope: &str, program: &str) -> Result<PathBuf, String> {
        let packages = fs::read_dir(self.folder.join("node_modules").join(scope));
        let programs = packages.into_iter().flatten().flatten().map(|package| package.path().join(program));
        let mut found: Vec<PathBuf> = programs.filter(|path| path.is_file()).collect();
        found.sort();
        found.into_iter().next().ok_or_else(|| format!("{scope} has no {program} for this machine"))
    }
}

/// Runs a runner that prints a report; `runtime` is what it is called where it does not.
#[must_use]
pub fn row(runtime: &str, command: Result<Command, String>) -> Row {
    let runtime = runtime.to_owned();
    let mut command = match command {
        Ok(command) => command,
        Err(why) => return Row::Absent { runtime, why },
    };
    match output(&mut command).and_then(|printed| Report::read(&printed)) {
        Ok(report) => Row::Ran(report),
        Err(error) => Row::Failed { runtime, why: format!("{error:#}") },
    }
}

/// What a program prints; its failure, with what it printed to standard error, is an error.
pub fn output(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("{program} did not start"))?;
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let read_err = std::thread::spawn(move || {
        let mut text = Vec::new();
        err.as_mut().map(|err| err.read_to_end(&mut text)).transpose().map(|_| text)
    });
    let read_out = std::thread::spawn(move || {
        let mut text = Vec::new();
        out.as_mut().map(|out| out.read_to_end(&mut text)).transpose().map(|_| text)
    });
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > DEADLINE {
            child.kill()?;
            bail!("{program} did not end within {DEADLINE:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = |read: std::thread::JoinHandle<std::io::Result<Vec<u8>>>| {
        read.join()
            .ok()
            .and_then(Result::ok)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    };
    let (out, err) = (text(read_out), text(read_err));
    ensure!(status.success(), "{program}: {status}\n{out}{err}");
    Ok(out)
}

/// Chromium: what INTENTKEY_CHROMIUM names, or where it usually is.
pub fn chromium() -> Result<PathBuf, String> {
    let given = std::env::var_os("INTENTKEY_CHROMIUM").map(PathBuf::from);
    let usual = CHROMIUM.iter().map(PathBuf::from).find(|path| path.exists());
    given.or(usual).ok_or_else(|| format!("no Chromium at {}", CHROMIUM.join(", ")))
}

/// Whether a program can be started; the error says which cannot.
pub fn is_there(program: &str) -> Result<(), String> {
    let printed = Command::new(program).arg("--version").output();
    printed.map(drop).map_err(|error| format!("no {program}: {error}"))
}

fn install_npm(folder: &Path) -> Result<()> {
    install(folder, "package-lock.json", "node_modules", || {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts"]).current_dir(folder);
        npm
    })
}

/// The folder of the Python packages that a folder's `requirements.txt` lists.
pub fn python_packages(folder: &Path) -> Result<PathBuf, String> {
    is_there("python3")?;
    install_python(folder).map_err(|error| format!("{error:#}"))?;
    Ok(folder.join("python"))
}

fn install_python(folder: &Path) -> Result<()> {
    install(folder, "requirements.txt", "python", || {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target", "python"]);
        pip.args(["--requirement", "requirements.txt"]).current_dir(folder);
        pip
    })
}

/// Installs unless that was done for the same list of packages.
fn install(folder: &Path, list: &str, into: &str, command: impl Fn() -> Command) -> Result<()> {
    let wanted = fs::read(folder.join(list))?;
    let mark = folder.join(into).join(".installed-for");
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    output(&mut command())?;
    fs::write(mark, wanted)?;
    Ok(())
}
