//! Where statements run: on a connection of the pool, or in a transaction.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;

use bytes::BytesMut;
use deadpool_postgres::ClientWrapper;
use tokio_postgres::types::{Format, IsNull, ToSql, Type};
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
        self.query(&statement, &of(&hidden(params))).await
    }
}

impl Session for deadpool_postgres::Transaction<'_> {
    async fn rows(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let statement = self.prepare_cached(sql).await?;
        self.query(&statement, &of(&hidden(params))).await
    }
}

/// The caller's transaction, on a connection of the caller's.
impl Session for tokio_postgres::Transaction<'_> {
    async fn rows(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        self.query(sql, &of(&hidden(params))).await
    }
}

/// A parameter that does not show itself: the driver logs the parameters of every statement, where somebody
/// has switched its debug level on.
struct Hidden<'p>(&'p (dyn ToSql + Sync));

fn hidden<'p>(params: Params<'p>) -> Vec<Hidden<'p>> {
    params.iter().map(|param| Hidden(*param)).collect()
}

fn of<'h>(hidden: &'h [Hidden<'_>]) -> Vec<&'h (dyn ToSql + Sync)> {
    hidden.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

impl fmt::Debug for Hidden<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

impl ToSql for Hidden<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        self.0.to_sql_checked(ty, out)
    }

    /// Whether it really does, the parameter itself checks.
    fn accepts(_: &Type) -> bool {
        true
    }

    fn to_sql_checked(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        self.0.to_sql_checked(ty, out)
    }

    fn encode_format(&self, ty: &Type) -> Format {
        self.0.encode_format(ty)
    }
}
