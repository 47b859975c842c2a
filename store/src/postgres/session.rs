//! Where statements run: on a connection of the pool, or in a transaction.

use std::future::Future;

use deadpool_postgres::ClientWrapper;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

/// The parameters of a statement.
pub(super) type Params<'p> = &'p [&'p (dyn ToSql + Sync)];

/// Where statements run.
pub(super) trait Session: Sync {
    /// Runs a statement and gives the rows that it returns.
    fn rows(
        &self,
        sql: &'static str,
        params: Params<'_>,
    ) -> impl Future<Output = Result<Vec<Row>, Error>> + Send;

    /// Runs a statement and gives the first row that it returns, if any.
    fn row(
        &self,
        sql: &'static str,
        params: Params<'_>,
    ) -> impl Future<Output = Result<Option<Row>, Error>> + Send {
        async move { Ok(self.rows(sql, params).await?.into_iter().next()) }
    }
}

impl Session for ClientWrapper {
    async fn rows(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let statement = self.prepare_cached(sql).await?;
        self.query(&statement, params).await
    }
}

impl Session for deadpool_postgres::Transaction<'_> {
    async fn rows(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let statement = self.prepare_cached(sql).await?;
        self.query(&statement, params).await
    }
}

/// The caller's transaction, on a connection of the caller's.
impl Session for tokio_postgres::Transaction<'_> {
    async fn rows(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        self.query(sql, params).await
    }
}
