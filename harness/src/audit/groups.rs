//! Sorted records, group by group, on all cores.

use rayon::prelude::*;

use super::record::Record;

/// How many pieces for each core: pieces are not all of one length.
const PIECES_A_CORE: usize = 8;

/// Folds each group of neighbours that belong together, and adds the results up in order.
pub(super) fn fold_groups<A: Send>(
    records: &[Record],
    belong: impl Fn(&Record, &Record) -> bool + Sync,
    new: impl Fn() -> A + Sync + Send,
    fold: impl Fn(&mut A, &[Record]) + Sync + Send,
    add: impl Fn(A, A) -> A + Sync + Send,
) -> A {
    let pieces = pieces(records, &belong, rayon::current_num_threads() * PIECES_A_CORE);
    let folded: Vec<A> = pieces
        .into_par_iter()
        .map(|piece| {
            let mut all = new();
            piece.chunk_by(&belong).for_each(|group| fold(&mut all, group));
            all
        })
        .collect();
    folded.into_iter().reduce(add).unwrap_or_else(new)
}

/// Cuts between groups.
fn pieces<'r>(
    records: &'r [Record],
    belong: &impl Fn(&Record, &Record) -> bool,
    count: usize,
) -> Vec<&'r [Record]> {
    let length = records.len().div_ceil(count.max(1)).max(1);
    let mut pieces = Vec::new();
    let mut rest = records;
    while !rest.is_empty() {
        let mut end = length.min(rest.len());
        while let (Some(one), Some(next)) = (rest.get(end - 1), rest.get(end))
            && belong(one, next)
        {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}
