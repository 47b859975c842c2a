//! A PostgreSQL server of the tests' own: a new cluster in a temporary folder, on a socket there, run by
//! a user that is not root, and ended with the process of the tests.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, net, thread};

pub(crate) struct Server {
    port: u16,
    folder: PathBuf,
    /// The certificate of whoever signed the server's, in PEM; where there is openssl to make them.
    pub(crate) root: Option<Vec<u8>>,
    /// Its standard input is open for as long as this process lives.
    _guard: Child,
}

/// The server, or why there is none.
pub(crate) fn server() -> Result<&'static Server, String> {
    static SERVER: OnceLock<Result<Server, String>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref().map_err(Clone::clone)
}

impl Server {
    /// A new, empty database's URL.
    pub(crate) async fn database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("store_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        execute(&self.url("postgres"), &format!("CREATE DATABASE {name}")).await;
        self.url(&name)
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }
}

/// Runs statements on a connection of their own.
pub(crate) async fn execute(url: &str, sql: &str) {
    connect(url).await.batch_execute(sql).await.unwrap();
}

pub(crate) async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

impl Server {
    /// A server that a test has for itself. Where there is none it is skipped, loudly; with CI=true that
    /// is an error.
    pub(crate) fn own() -> Option<Server> {
        match start() {
            Ok(server) => Some(server),
            Err(why) if env::var("CI").is_ok_and(|ci| ci == "true") => panic!("{why}"),
            Err(why) => {
                eprintln!("SKIPPED: {why}");
                None
            }
        }
    }

    /// Kills it with SIGKILL; it is started again at once.
    pub(crate) fn kill(&self) {
        let file = fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap_or_default();
        if let Some(pid) = file.lines().next() {
            let _ = run(Command::new("kill").args(["-9", pid]));
        }
    }
}

fn start() -> Result<Server, String> {
    let bin = binaries().ok_or("no PostgreSQL server is installed (initdb and postgres were not found)")?;
    let folder = tempfile::Builder::new().prefix("intentkey-pg").tempdir().map_err(|e| e.to_string())?.keep();
    let data = folder.join("data");
    let is_root = run(Command::new("id").arg("-u"))?.trim() == "0";
    if is_root {
        // The server refuses to run as root.
        run(Command::new("chown").arg("postgres").arg(&folder))?;
    }
    let port = net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map_err(|e| e.to_string())?
        .port();
    let as_user = |command: &str| {
        let mut line = match is_root {
            true => Command::new("runuser"),
            false => Command::new("sh"),
        };
        if is_root {
            line.args(["-u", "postgres", "--", "sh"]);
        }
        line.args(["-c", command]).current_dir(&folder);
        line
    };
    let bin = bin.display();
    let place = folder.clone();
    let (data, folder) = (data.display(), folder.display());
    run(&mut as_user(&format!(
        "{bin}/initdb -D {data} -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync"
    )))?;
    let (ssl, root) = match run(&mut as_user(CERTIFICATES)) {
        Ok(_) => {
            let root = fs::read(format!("{folder}/ca.crt")).map_err(|error| error.to_string())?;
            let files = format!("-c ssl_cert_file={folder}/server.crt -c ssl_key_file={folder}/server.key");
            (format!("-c ssl=on {files}"), Some(root))
        }
        Err(_) => (String::new(), None),
    };
    // The shell waits for the end of its input, which comes with the end of the tests. Until then a server
    // that dies is started again.
    let guard = as_user(&format!(
        "touch running; while [ -e running ]; do \
         {bin}/postgres -D {data} -p {port} -k {folder} -c listen_addresses=127.0.0.1 \
         -c max_connections=300 {ssl} >>{folder}/log 2>&1; sleep 0.1; done & cat >/dev/null; \
         rm running; kill -QUIT $(head -1 {data}/postmaster.pid); wait; rm -rf {folder}"
    ))
    .stdin(Stdio::piped())
    .stdout(Stdio::null())
    .stderr(Stdio::null())
    .spawn()
    .map_err(|e| e.to_string())?;
    wait_for(port)?;
    Ok(Server { port, folder: place, root, _guard: guard })
}

/// A certificate for this machine's address, and one for who signed it.
const CERTIFICATES: &str = "
    set -e
    new='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
    openssl req -x509 $new -keyout ca.key -out ca.crt -days 2 -subj /CN=ca
    openssl req $new -keyout server.key -out server.csr -subj /CN=server
    echo subjectAltName=IP:127.0.0.1 >extensions
    openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
        -extfile extensions -out server.crt
    chmod 600 server.key";

fn wait_for(port: u16) -> Result<(), String> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
        // A thread, since the caller may be inside a runtime.
        let connected = thread::spawn(move || {
            runtime.block_on(async { tokio_postgres::connect(&url, tokio_postgres::NoTls).await.is_ok() })
        });
        if connected.join().unwrap() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err("the PostgreSQL server did not start within a minute".into())
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The folder of the server's programs: Debian's of the newest version, else one on the path.
fn binaries() -> Option<PathBuf> {
    let has_both = |folder: &Path| folder.join("initdb").exists() && folder.join("postgres").exists();
    let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|folder| has_both(folder))
        .collect();
    versions.sort();
    versions.pop().or_else(|| env::split_paths(&env::var_os("PATH")?).find(|folder| has_both(folder)))
}
