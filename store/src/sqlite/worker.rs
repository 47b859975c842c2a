//! The thread that has the connection. SQLite has one writer at a time, so a pool would only queue in
//! another place; no well-kept crate wraps this version of rusqlite.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{Result, StoreError};

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Runs jobs on a connection, one after another. A job that was sent runs to its end, also where nobody
/// waits for it any more. One that panics is rolled back, and the next one runs. The thread ends with the
/// last sender.
#[derive(Clone)]
pub(super) struct Worker {
    jobs: mpsc::Sender<Job>,
}

#[derive(Debug)]
struct BrokenOff;

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the operation broke off; it is rolled back")
    }
}

impl std::error::Error for BrokenOff {}

impl Worker {
    pub(super) fn start(mut connection: Connection) -> Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let run = move || {
            for job in queue {
                // Whoever waits sees that the answer does not come.
                let _ = catch_unwind(AssertUnwindSafe(|| job(&mut connection)));
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
        self.jobs.send(Box::new(job)).map_err(|_| StoreError::database(BrokenOff))?;
        answered.await.map_err(|_| StoreError::database(BrokenOff))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_panics_is_rolled_back_and_others_run() {
        let worker = Worker::start(Connection::open_in_memory().unwrap()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let failed: Result<()> = runtime.block_on(worker.call(|connection| {
            let transaction = connection.transaction().unwrap();
            transaction.execute_batch("CREATE TABLE made (n integer)").unwrap();
            panic!("on purpose");
        }));
        assert!(matches!(failed, Err(StoreError::Database(_))), "{failed:?}");
        let made = runtime.block_on(worker.call(|connection| {
            assert!(connection.is_autocommit());
            let count = "SELECT count(*) FROM sqlite_schema";
            connection.query_row(count, [], |row| row.get::<_, u32>(0)).map_err(StoreError::database)
        }));
        assert_eq!(made.unwrap(), 0);
    }
}
