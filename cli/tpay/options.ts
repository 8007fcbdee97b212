import type { Terminal } from '../terminal.ts';
import type { Screen } from './screen.ts';

/** The flags of every command. */
export interface Options {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly json?: true;
  /** False where nobody may be asked. */
  readonly input?: boolean;
}

/** The terminal where a command of `tpay` reads and writes. */
export interface Console extends Terminal {
  /** Asks whoever sits there for a line; absent: nobody does. */
  ask?(question: string): Promise<string>;
  /** All of standard input. */
  readInput?(): Promise<string>;
  /** The whole screen of a terminal; absent: that of this process, if it has one. */
  readonly screen?: Screen;
  /** Ends a command that would go on; aborted by Ctrl-C. */
  readonly signal?: AbortSignal;
}
