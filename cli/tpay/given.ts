import { readFileSync } from 'node:fs';
import { FaultLines, UsageError } from '../terminal.ts';
import type { Console, Options } from './options.ts';

/**
 * The value of a flag: a text as it is, `@file`, or `-` for standard input.
 * @param what the flag and a file for it: `--body @event.json`
 * @throws UsageError for a file that cannot be read
 */
export async function textOf(
  terminal: Console,
  options: Options,
  given: string,
  what: string,
): Promise<string> {
  if (given === '-') {
    if (terminal.readInput && !(terminal.ask && options.input === false))
      return terminal.readInput();
    throw new FaultLines(['error: there is no standard input', 'hint: Pipe the text into it.']);
  }
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read (${code})`, `Give a file: ${what}`);
  }
}
