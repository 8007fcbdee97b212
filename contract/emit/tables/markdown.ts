/** A Markdown table; a pipe inside a cell would end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A page of the reference, marked as generated. */
export function page(title: string, intro: string, ...parts: readonly string[]): string {
  const mark = '<!-- Made from contract/ by `npm run emit`. Do not edit. -->';
  return `${[`# ${title}`, mark, intro, ...parts].join('\n\n')}\n`;
}

export const code = (word: string): string => `\`${word}\``;
export const codes = (words: readonly string[]): string => words.map(code).join(', ');
export const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];
