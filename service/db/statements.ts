/** A migration's statements on the schema control, which all cells of a database share. */
export const ofControl = /\bcontrol\.|\bschema control\b/;

/** The text in which a semicolon ends no statement: comments, quoted text, and bodies between dollar signs. */
export const undividedText =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;

const isComment = (text: string): boolean => text.startsWith('--') || text.startsWith('/*');

/**
 * The statements of a migration, without comments between them, each to be sent alone
 * (rules/engine#32). Text with backslash escapes (`E'\''`) is not understood.
 */
export function statementsOf(sql: string): string[] {
  const kept: string[] = [];
  const held = sql.replace(undividedText, (text) => {
    if (isComment(text)) return '';
    kept.push(text);
    return `\u0000${kept.length - 1}\u0000`;
  });
  const restore = (text: string): string =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no SQL text may hold it
    text.replace(/\u0000(\d+)\u0000/g, (_, index: string) => kept[Number(index)] ?? '');
  return held
    .split(';')
    .map((statement) => restore(statement).trim())
    .filter((statement) => statement !== '');
}

const alterTable = /^alter table (?:only )?([\w.]+)\s/i;
const addedColumn = /^add column (\w+) /i;
/** The begin of the CHECK of a new column. */
const beginOfCheck = /\bcheck *\(/i;

/** The parts of a text between the commas that no parenthesis holds. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (text[at] !== ',' || depth > 0) continue;
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
}

/**
 * Each change of an ALTER TABLE as a statement of its own, and a column's CHECK as a constraint with the name
 * that PostgreSQL would give it: Citus takes no constraint beside another change, and none without a name.
 */
export function singleChanges(statement: string): string[] {
  const [head = '', table = ''] = alterTable.exec(statement) ?? [];
  if (head === '') return [statement];
  return partsOf(statement.slice(head.length)).flatMap((change) => {
    const [, name] = addedColumn.exec(change) ?? [];
    const at = change.search(beginOfCheck);
    if (name === undefined || at < 0) return [head + change];
    const column = change.slice(0, at).trimEnd();
    return [head + column, `${head}add constraint ${table}_${name}_check ${change.slice(at)}`];
  });
}
