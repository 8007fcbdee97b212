/** What a migration does to the schema control, which all cells of a database share. */
export const ofControl = /\bcontrol\.|\bschema control\b/;

/** What a semicolon ends no statement in: comments, quoted text, and bodies between dollar signs. */
export const whole =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;

const isComment = (text: string): boolean => text.startsWith('--') || text.startsWith('/*');

/**
 * The statements of a migration, without comments between them, each to be sent alone
 * (rules/engine#32). Text with backslash escapes (`E'\''`) is not understood.
 */
export function statementsOf(sql: string): string[] {
  const kept: string[] = [];
  const held = sql.replace(whole, (text) => {
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
