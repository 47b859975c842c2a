//! The thread that has the connection. SQLite has one writer at a time, so a pool would only queue in
//! another place; no well-kept crate wraps this version of rusqlite.
//!
//! Transactions that wait for one another are committed together: each is a savepoint of one transaction,
//! so that one flush to the disk serves them all, and one that fails takes back its own writes alone. No
//! answer is given before the commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use super::failed;
use crate::error::{DatabaseError, Result, StoreError};

/// The most transactions that are committed together.
const TOGETHER: usize = 64;

/// What is done on a connection.
enum Job {
    /// By itself.
    Alone(Box<dyn FnOnce(&mut Connection) + Send>),
    /// In an immediate transaction.
    Transaction(Transaction),
}

/// Does its work, and gives what is to be answered once that is committed; or nothing, where it has failed
/// and has answered already.
type Transaction = Box<dyn FnOnce(Result<&Connection>) -> Option<Answer> + Send>;

type Answer = Box<dyn FnOnce(Result<()>) + Send>;

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
            let mut next = queue.recv().ok();
            while let Some(job) = next.take() {
                match job {
                    // Whoever waits sees that the answer does not come.
                    Job::Alone(job) => drop(catch_unwind(AssertUnwindSafe(|| job(&mut connection)))),
                    Job::Transaction(first) => {
                        let mut transactions = vec![first];
                        while transactions.len() < TOGETHER {
                            match queue.try_recv() {
                                Ok(Job::Transaction(transaction)) => transactions.push(transaction),
                                other => {
                                    next = other.ok();
                                    break;
                                }
                            }
                        }
                        together(&mut connection, transactions);
                    }
                }
                next = next.or_else(|| queue.recv().ok());
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
        self.jobs.send(Job::Alone(Box::new(job))).map_err(|_| StoreError::database(BrokenOff))?;
        answered.await.map_err(|_| StoreError::database(BrokenOff))?
    }

    /// Runs a job in an immediate transaction, which others may share.
    pub(super) async fn transact<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let transaction = move |connection: Result<&Connection>| match connection.and_then(job) {
            Ok(outcome) => Some(Box::new(move |committed: Result<()>| {
                let _ = answer.send(committed.map(|()| outcome));
            }) as Answer),
            Err(error) => {
                let _ = answer.send(Err(error));
                None
            }
        };
        let job = Job::Transaction(Box::new(transaction));
        self.jobs.send(job).map_err(|_| StoreError::database(BrokenOff))?;
        answered.await.map_err(|_| StoreError::database(BrokenOff))?
    }
}

/// Commits transactions together, and answers each.
fn together(connection: &mut Connection, transactions: Vec<Transaction>) {
    let one = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(one) => one,
        Err(error) => {
            let error = failed(error);
            for transaction in transactions {
                let _ = transaction(Err(copy(&error)));
            }
            return;
        }
    };
    let answers: Vec<Answer> =
        transactions.into_iter().filter_map(|transaction| within(&one, transaction)).collect();
    let committed = one.commit().map_err(failed);
    for answer in answers {
        answer(committed.as_ref().copied().map_err(copy));
    }
}

/// Runs a transaction as a savepoint: where it fails or panics, nothing of it stays.
fn within(connection: &Connection, transaction: Transaction) -> Option<Answer> {
    if connection.is_autocommit() {
        // Some errors, such as a full disk, take back the whole transaction: the commit will fail for those
        // before, and what begins now would not have the write lock.
        return transaction(Err(StoreError::database(BrokenOff)));
    }
    if let Err(error) = connection.execute_batch("SAVEPOINT one") {
        return transaction(Err(failed(error)));
    }
    let done = catch_unwind(AssertUnwindSafe(|| transaction(Ok(connection)))).ok().flatten();
    let end = if done.is_some() { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" };
    match (connection.execute_batch(end).map_err(failed), done) {
        (Ok(()), done) => done,
        (Err(error), Some(answer)) => {
            answer(Err(error));
            None
        }
        (Err(_), None) => None,
    }
}

/// The same error, for another that shared the transaction.
fn copy(error: &StoreError) -> StoreError {
    match error {
        StoreError::Contended => StoreError::Contended,
        StoreError::Serialization => StoreError::Serialization,
        other => StoreError::Database(DatabaseError::new(None, other.to_string())),
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

    fn with_a_table() -> Worker {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (n integer PRIMARY KEY)").unwrap();
        Worker::start(connection).unwrap()
    }

    /// Keeps the thread busy until `transactions` wait for it, so that they share a commit.
    async fn at_once<T: Send + 'static>(
        worker: &Worker,
        transactions: Vec<impl FnOnce(&Connection) -> Result<T> + Send + 'static>,
    ) -> Vec<Result<T>> {
        let (go, waits) = mpsc::channel::<()>();
        let busy = tokio::spawn({
            let worker = worker.clone();
            async move { worker.call(move |_| waits.recv().map_err(StoreError::database)).await }
        });
        tokio::task::yield_now().await;
        let spawned: Vec<_> = transactions
            .into_iter()
            .map(|job| {
                let worker = worker.clone();
                tokio::spawn(async move { worker.transact(job).await })
            })
            .collect();
        tokio::task::yield_now().await;
        go.send(()).unwrap();
        busy.await.unwrap().unwrap();
        let mut outcomes = Vec::new();
        for one in spawned {
            outcomes.push(one.await.unwrap());
        }
        outcomes
    }

    #[tokio::test]
    async fn one_that_fails_takes_back_its_own_writes_alone() {
        let worker = with_a_table();
        let job = |number: i64| {
            move |connection: &Connection| {
                connection.execute("INSERT INTO t VALUES (?1)", [number]).map_err(failed)?;
                assert!(!connection.is_autocommit());
                match number {
                    2 => Err(StoreError::Contended),
                    3 => panic!("it does"),
                    _ => Ok(number),
                }
            }
        };
        let outcomes = at_once(&worker, (1..=5).map(job).collect()).await;
        let outcomes: Vec<Option<i64>> = outcomes.into_iter().map(Result::ok).collect();
        assert_eq!(outcomes, [Some(1), None, None, Some(4), Some(5)]);
        let written = worker.call(|connection| {
            let list = "SELECT group_concat(n) FROM t";
            connection.query_row(list, [], |row| row.get::<_, String>(0)).map_err(failed)
        });
        assert_eq!(written.await.unwrap(), "1,4,5");
    }

    #[tokio::test]
    async fn where_the_database_takes_all_back_nobody_is_told_otherwise() {
        let worker = with_a_table();
        let job = |number: i64| {
            move |connection: &Connection| {
                connection.execute("INSERT INTO t VALUES (?1)", [number]).map_err(failed)?;
                // As SQLite does by itself where the disk is full.
                if number == 2 { connection.execute_batch("ROLLBACK").map_err(failed) } else { Ok(()) }
            }
        };
        let outcomes = at_once(&worker, (1..=3).map(job).collect()).await;
        assert!(outcomes.iter().all(Result::is_err), "{outcomes:?}");
        let count = "SELECT count(*) FROM t";
        let count = worker
            .call(|connection| connection.query_row(count, [], |row| row.get::<_, i64>(0)).map_err(failed));
        assert_eq!(count.await.unwrap(), 0);
    }

    /// Claims of one key that share a commit: one owns, as everywhere.
    #[tokio::test]
    async fn they_see_one_another() {
        let worker = with_a_table();
        let insert = |_| {
            move |connection: &Connection| {
                connection.execute("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING", []).map_err(failed)
            }
        };
        let outcomes = at_once(&worker, (0..100).map(insert).collect()).await;
        assert_eq!(outcomes.into_iter().map(|inserted| inserted.unwrap()).sum::<usize>(), 1);
    }
}
