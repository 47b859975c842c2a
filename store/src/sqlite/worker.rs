//! The thread that has the connection. SQLite has one writer at a time, so a pool would only queue in
//! another place; no well-kept crate wraps this version of rusqlite.

use std::sync::mpsc;
use std::thread;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{Result, StoreError};

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Runs jobs on a connection, one after another. A job that was sent runs to its end, also where nobody
/// waits for it any more. The thread ends with the last sender.
#[derive(Clone)]
pub(super) struct Worker {
    jobs: mpsc::Sender<Job>,
}

#[derive(Debug)]
struct WorkerGone;

impl std::fmt::Display for WorkerGone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the thread of the connection has ended")
    }
}

impl std::error::Error for WorkerGone {}

impl Worker {
    pub(super) fn start(mut connection: Connection) -> Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let run = move || {
            for job in queue {
                job(&mut connection);
            }
        };
        thread::Builder::new().name("intentkey-sqlite".into()).spawn(run).map_err(StoreError::database)?;
        Ok(Worker { jobs })
    }

    pub(super) async fn call<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let job = move |connection: &mut Connection| {
            // Nobody waits for the answer of a job whose future was dropped.
            let _ = answer.send(job(connection));
        };
        self.jobs.send(Box::new(job)).map_err(|_| StoreError::database(WorkerGone))?;
        answered.await.map_err(|_| StoreError::database(WorkerGone))?
    }
}
