import { setTimeout as sleep } from 'node:timers/promises';
import type { Asking, Reply } from '../command.ts';
import { unavailable } from '../fail.ts';

const pauseMs = 100;
/** Requests are answered within 9 s (rules/errors#9). */
const patienceMs = 7_500;

/**
 * Goes on with a command whose decision needs an answer of the outside (rules/engine#30): asks, or
 * waits for the call that asks the same, and decides again until there is a reply.
 * @throws ApiError what `ask` refuses with; 503 when the other call takes too long
 */
export async function decideAsking(
  first: Asking,
  decide: (prepared: unknown) => Promise<Reply | Asking>,
  given: unknown,
  ask: (told: unknown) => Promise<unknown> | undefined,
): Promise<Reply> {
  const end = performance.now() + patienceMs;
  let prepared = given;
  for (let outcome: Reply | Asking = first; ; outcome = await decide(prepared)) {
    if (!('ask' in outcome)) return outcome;
    if (outcome.ask === 'now') prepared = await ask(outcome.told);
    else if (performance.now() < end) await sleep(pauseMs);
    else
      throw unavailable(
        'the outside takes too long; send the request again with the same key',
        1,
        'outside',
      );
  }
}
