import { FaultLines } from '../terminal.ts';
import type { Console, Options } from './options.ts';

/** The act that the person at the terminal is asked to agree to. */
interface Agreement {
  /** `Send 3 events again`. */
  readonly act: string;
  /** `3 events would be sent again`. */
  readonly would: string;
  /** The other way where nobody can be asked, besides `--yes`. */
  readonly other?: string;
}

/** @throws FaultLines where somebody declines, or nobody can be asked */
export async function assertAgreed(
  terminal: Console,
  options: Options & { readonly yes?: true },
  { act, would, other = '' }: Agreement,
): Promise<void> {
  if (options.yes) return;
  if (terminal.ask && options.input !== false) {
    const answer = await terminal.ask(`${act}? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
    throw new FaultLines(['error: nothing was done', 'hint: Agree with y, or give --yes.']);
  }
  throw new FaultLines([
    `error: ${would}, and nobody can be asked`,
    `hint: Agree with --yes${other}.`,
  ]);
}
