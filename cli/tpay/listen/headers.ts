import { UsageError } from '../../terminal.ts';

/** `name: value`, several. @throws UsageError for a header that could not be sent */
export function headersOf(lines: readonly string[] = []): Record<string, string> {
  const pairs = lines.map((line): [string, string] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e]*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) return [name.toLowerCase(), value.trim()];
    throw new UsageError(`--header ${line} is not name: value`, "As in: --header 'X-Env: dev'");
  });
  return Object.fromEntries(pairs);
}
