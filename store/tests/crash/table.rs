//! The table itself, where a rule is off that the store does not let off.

use std::time::Duration;

use intentkey_core::Key;
use intentkey_store::Token;

use crate::support::postgres;

/// In flight never expires: off, the row is deleted once it is overdue, as any lock with a time to live
/// would be.
pub(crate) async fn expire(url: &str, key: &Key) {
    let delete = |now: &str| {
        format!(
            "DELETE FROM intentkey_intents WHERE key = '{key}' AND status = 'in_flight' AND execute_by <= {now}"
        )
    };
    match sqlite(url) {
        Some(connection) => {
            connection.execute_batch(&delete("CAST(unixepoch('subsec') * 1000 AS INTEGER)")).unwrap();
        }
        None => postgres::execute(url, &delete("now()")).await,
    }
}

/// Only the holder of the token settles: off, whoever comes takes the one that is in the row.
pub(crate) async fn token(url: &str, key: &Key) -> Token {
    let select = format!("SELECT owner_token FROM intentkey_intents WHERE key = '{key}'");
    let bytes: Vec<u8> = match sqlite(url) {
        Some(connection) => connection.query_row(&select, [], |row| row.get(0)).unwrap(),
        None => postgres::connect(url).await.query_one(&select, &[]).await.unwrap().get(0),
    };
    Token::from_bytes(bytes.try_into().unwrap())
}

fn sqlite(url: &str) -> Option<rusqlite::Connection> {
    let connection = rusqlite::Connection::open(url.strip_prefix("sqlite:")?).unwrap();
    connection.busy_timeout(Duration::from_secs(20)).unwrap();
    Some(connection)
}
