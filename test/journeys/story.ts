import { isDeepStrictEqual } from 'node:util';

/** Prints what happens step by step, and checks each fact that it prints. */
export interface Story {
  /** A numbered heading: what happens next. */
  step(title: string): void;
  /** A line of text. */
  say(line: string): void;
  /**
   * A sentence that must hold, with a tick behind it.
   * @throws BrokenFact with both values when they differ
   */
  fact(sentence: string, actual: unknown, expected?: unknown): void;
  /** How many facts held so far. */
  readonly facts: number;
}

/** A story ends with the first fact that does not hold. */
export class BrokenFact extends Error {
  override readonly name = 'BrokenFact';
}

const colors = { bold: '1', green: '32', red: '31', dim: '2' } as const;
type Paint = (text: string, color: keyof typeof colors) => string;

const plain: Paint = (text) => text;
const painted: Paint = (text, color) => `\u001b[${colors[color]}m${text}\u001b[0m`;

/** Colors are for people at a terminal; a file or a pipe gets the words alone. */
export const paintFor = (stream: { isTTY?: boolean }): Paint =>
  stream.isTTY === true && !process.env.NO_COLOR ? painted : plain;

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** @param write takes one line without its end */
export function openStory(write: (line: string) => void, paint: Paint = plain): Story {
  let steps = 0;
  let facts = 0;
  return {
    step(title) {
      steps += 1;
      write('');
      write(paint(`${steps}. ${title}`, 'bold'));
    },
    say: (line) => write(`   ${line}`),
    fact(sentence, actual, expected = true) {
      if (!isDeepStrictEqual(actual, expected)) {
        write(`   ${paint('✗', 'red')} ${sentence}`);
        throw new BrokenFact(`${sentence}: expected ${shown(expected)}, found ${shown(actual)}`);
      }
      facts += 1;
      write(`   ${paint('✓', 'green')} ${sentence}`);
    },
    get facts() {
      return facts;
    },
  };
}

/** 2450 as `$24.50`, 600000 as `$6,000.00`. */
export const dollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

/** `pay_0198…c41e` as `pay_…c41e`: enough to tell two records of a page apart. */
export const short = (id: string): string => `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-4)}`;
