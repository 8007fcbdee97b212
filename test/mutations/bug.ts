/** A mistake that somebody could make, put into one file, and the tests that are to notice it. */
export interface Bug {
  readonly name: string;
  /** The file that it stands in, from the root of the repository. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test files that are to catch it: the smallest that should. */
  readonly tests: readonly string[];
  /** A part of the names of the tests that are run of them; absent: all. */
  readonly named?: string;
  /** What would come of it. */
  readonly why: string;
}

/**
 * A file's text with the bug in it.
 * @throws when what is to be replaced is not there exactly once
 */
export function mutated({ name, file, find, replace }: Bug, text: string): string {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`${name}: its text occurs ${times} times in ${file}, not once`);
  return text.replace(find, () => replace);
}
