//! The columns of a table: which is what, and how a row becomes a payload.

use std::fmt::Write as _;

use super::chunk::RowOf;
use super::mapping::{Mapping, Origin};
use super::table::Rows;
use crate::field_path::{Step, steps_of_column};

/// What the columns of a table are.
pub(crate) struct Columns {
    count: usize,
    pub(super) tenant: Cell,
    pub(super) action: Cell,
    pub(super) epoch: Cell,
    pub(super) truth: Option<usize>,
    pub(super) payload: PayloadOf,
}

/// Where a text of an event comes from.
pub(super) enum Cell {
    Column(usize),
    Constant(String),
}

/// Where the payload of a row comes from.
pub(super) enum PayloadOf {
    /// A column of JSON text.
    Column(usize),
    /// The columns that are nothing else.
    Rest(Node),
}

/// A column that is a leaf of the payload.
#[derive(Clone, Copy)]
struct Column {
    index: usize,
    has_comma: bool,
}

/// A part of a payload that is made of columns.
#[derive(Debug)]
pub(super) enum Node {
    Leaf { column: usize, has_comma: bool },
    Object(Vec<(String, Node)>),
    List(Vec<Node>),
}

impl Columns {
    /// Reads the first row of a table.
    pub(super) fn of(
        header: &Rows,
        mapping: &Mapping,
        declared: &dyn Fn(&str) -> bool,
    ) -> Result<Self, String> {
        let names = names(header)?;
        let position = |name: &str| names.iter().position(|own| own == name);
        let must = |name: &str| {
            position(name)
                .ok_or_else(|| format!("there is no column {name:?}; the columns are {}", names.join(", ")))
        };
        let cell = |origin: Origin, option: &str, said: bool| match origin {
            Origin::Column(name) => must(&name).map(Cell::Column).map_err(|error| match said {
                true => error,
                false => format!("{error}; --{option} names another column, or =TEXT for all rows"),
            }),
            Origin::Constant(text) => Ok(Cell::Constant(text)),
        };
        let [tenant, action, epoch] = mapping.origins();
        let tenant = cell(tenant, "tenant", mapping.tenant.is_some())?;
        let action = cell(action, "action", mapping.action.is_some())?;
        let epoch = cell(epoch, "epoch", mapping.epoch.is_some())?;
        let truth = mapping.truth.as_deref().map(must).transpose()?;
        let dropped = mapping.drop.iter().map(|name| must(name)).collect::<Result<Vec<_>, _>>()?;
        let with_comma =
            mapping.decimal_comma.iter().map(|name| must(name)).collect::<Result<Vec<_>, _>>()?;
        let payload = match &mapping.payload {
            Some(name) => PayloadOf::Column(must(name)?),
            None if position("payload").is_some() && !declared("payload") => {
                PayloadOf::Column(must("payload")?)
            }
            None => {
                let used = |index: usize| {
                    let cells = [&tenant, &action, &epoch];
                    cells.iter().any(|cell| matches!(cell, Cell::Column(column) if *column == index))
                        || truth == Some(index)
                };
                let mut root = Node::Object(Vec::new());
                for (column, name) in names.iter().enumerate() {
                    if dropped.contains(&column) || (used(column) && !declared(name)) {
                        continue;
                    }
                    let leaf = Column { index: column, has_comma: with_comma.contains(&column) };
                    root.put(&steps_of_column(name), leaf).map_err(|()| {
                        format!("the column {name:?} stands where another column has something else")
                    })?;
                }
                PayloadOf::Rest(root)
            }
        };
        Ok(Columns { count: names.len(), tenant, action, epoch, truth, payload })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }
}

fn names(header: &Rows) -> Result<Vec<String>, String> {
    let row = header.rows.first().ok_or("there is no first row that names the columns")?;
    let bytes = header.bytes.get(row.bytes.clone()).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    let mut start = 0;
    for &end in header.ends.get(row.ends.clone()).unwrap_or_default() {
        let name = std::str::from_utf8(bytes.get(start..end).unwrap_or_default())
            .map_err(|_| String::from("the first row is not UTF-8"))?;
        let name = if names.is_empty() { name.trim_start_matches('\u{feff}') } else { name }.trim();
        // Row numbers of data frames have no name, and what comes after a last delimiter.
        let name = if name.is_empty() { format!("column_{}", names.len() + 1) } else { name.to_owned() };
        if names.contains(&name) {
            return Err(format!("two columns are named {name:?}"));
        }
        names.push(name);
        start = end;
    }
    Ok(names)
}

impl Node {
    /// Adds a column at a path; refuses it where something else stands there.
    fn put(&mut self, path: &[Step], column: Column) -> Result<(), ()> {
        let Some((step, rest)) = path.split_first() else { return Err(()) };
        let child = match (step, self) {
            (Step::Name(name), Node::Object(members)) => {
                if !members.iter().any(|member| member.0 == *name) {
                    members.push((name.clone(), Node::empty(rest, column)));
                    return match rest {
                        [] => Ok(()),
                        _ => members.last_mut().map_or(Err(()), |member| member.1.put(rest, column)),
                    };
                }
                members.iter_mut().find(|member| member.0 == *name).map(|member| &mut member.1)
            }
            (Step::Index(index), Node::List(elements)) => {
                // A gap is an element without columns.
                if *index > elements.len() {
                    return Err(());
                }
                if *index == elements.len() {
                    elements.push(Node::empty(rest, column));
                    return match rest {
                        [] => Ok(()),
                        _ => elements.last_mut().map_or(Err(()), |element| element.put(rest, column)),
                    };
                }
                elements.get_mut(*index)
            }
            _ => None,
        };
        match (child, rest) {
            (Some(child), [_, ..]) => child.put(rest, column),
            _ => Err(()),
        }
    }

    fn empty(rest: &[Step], column: Column) -> Node {
        match rest.first() {
            None => Node::Leaf { column: column.index, has_comma: column.has_comma },
            Some(Step::Name(_)) => Node::Object(Vec::new()),
            Some(Step::Index(_) | Step::Each) => Node::List(Vec::new()),
        }
    }

    /// Appends what a row has here as JSON text; tells whether it has anything. An empty cell is
    /// an absent field: a table cannot say which of the two it is.
    pub(super) fn write(
        &self,
        row: &RowOf<'_>,
        path: &mut String,
        types: Types<'_>,
        out: &mut String,
    ) -> Result<bool, ()> {
        let start = out.len();
        match self {
            Node::Leaf { column, has_comma } => {
                let Some(cell) = row.cell(*column) else { return Ok(false) };
                let cell = std::str::from_utf8(cell).map_err(|_| ())?;
                match cell {
                    "true" | "t" | "TRUE" | "True" if types(path) => out.push_str("true"),
                    "false" | "f" | "FALSE" | "False" if types(path) => out.push_str("false"),
                    _ if *has_comma && is_number_with_comma(cell) => {
                        push_string(&cell.replace('.', "").replace(',', "."), out);
                    }
                    _ => push_string(cell, out),
                }
                return Ok(true);
            }
            Node::Object(members) => {
                out.push('{');
                let mut any = false;
                for (name, member) in members {
                    let (before, path_before) = (out.len(), path.len());
                    if any {
                        out.push(',');
                    }
                    push_string(name, out);
                    out.push(':');
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&crate::field_path::escaped(name));
                    let written = member.write(row, path, types, out)?;
                    path.truncate(path_before);
                    if written {
                        any = true;
                    } else {
                        out.truncate(before);
                    }
                }
                out.push('}');
                if any {
                    return Ok(true);
                }
            }
            Node::List(elements) => {
                out.push('[');
                let path_before = path.len();
                path.push_str("[]");
                let mut any = false;
                for element in elements {
                    let before = out.len();
                    if any {
                        out.push(',');
                    }
                    if element.write(row, path, types, out)? {
                        any = true;
                    } else {
                        out.truncate(before);
                    }
                }
                path.truncate(path_before);
                out.push(']');
                if any {
                    return Ok(true);
                }
            }
        }
        out.truncate(start);
        Ok(false)
    }
}

/// Whether a text is a number such as `-1.234,56` or `1.234`: what else it may be stays as it is, and is
/// refused by its rule.
fn is_number_with_comma(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['-', '+']);
    let (whole, places) = digits.split_once(',').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut thousands = whole.split('.');
    let is_whole =
        thousands.next().is_some_and(|first| is_digits(first) && (first.len() <= 3 || first == whole));
    is_whole && thousands.all(|group| is_digits(group) && group.len() == 3) && is_digits(places)
}

/// Tells of a path whether the policy takes a boolean there: a table has only text.
pub(super) type Types<'t> = &'t dyn Fn(&str) -> bool;

/// Appends a JSON string.
pub(super) fn push_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0'..='\u{1f}' => {
                // Writing to a String does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}
