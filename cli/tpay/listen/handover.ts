import type { Answer } from '../post.ts';
import { forward, type Sending } from './forward.ts';
import type { Passing } from './passing.ts';
import type { Printer } from './print.ts';

/**
 * Hands an event to all of its addresses at once, and says what became of it.
 * @returns what each answered
 */
export type Handover = (
  passing: Passing,
  /** Besides those of the command line: the signature. */
  headers: Readonly<Record<string, string>>,
  /** Whether an address takes part; absent: all do. */
  isFor?: (url: string) => boolean,
) => Promise<readonly Answer[]>;

export function openHandover(
  printer: Printer,
  urlsOf: (type: string) => readonly string[],
  sending: Sending,
): Handover {
  return async (passing, headers, isFor = () => true) => {
    const all = urlsOf(passing.type);
    const urls = all.filter(isFor);
    if (all.length === 0) printer.handed({ ...passing, url: null, answer: null });
    return Promise.all(
      urls.map(async (url) => {
        const answer = await forward(passing.body, url, headers, sending);
        printer.handed({ ...passing, url, answer });
        return answer;
      }),
    );
  };
}
