import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../post.ts';
import { plain } from '../show.ts';
import type { Delivery } from './deliveries.ts';
import { firstDifference, leavesOf } from './leaves.ts';
import type { Play } from './play.ts';

export interface Judged {
  readonly verdict: 'pass' | 'fail' | 'not_shown';
  /** The observation, or why nothing could be seen. */
  readonly reason: string;
}

export type Judge = (play: Play) => Promise<Judged>;

export const pass = (reason: string): Judged => ({ verdict: 'pass', reason });
export const fail = (reason: string): Judged => ({ verdict: 'fail', reason });
export const notShown = (reason: string): Judged => ({ verdict: 'not_shown', reason });

const isOf = (hundred: number, { status }: Answer): boolean =>
  status !== null && Math.floor(status / 100) === hundred;
export const isTaken = (answer: Answer): boolean => isOf(2, answer);
export const isRedirect = (answer: Answer): boolean => isOf(3, answer);

/** `answered 409 already there`. */
export function said({ status, error, body }: Answer): string {
  if (status === null) return error ?? 'no answer';
  return `answered ${status} ${plain(body.trim().slice(0, 120))}`.trimEnd();
}

const slowest = (answers: readonly Answer[]): number =>
  Math.max(...answers.map(({ duration_ms }) => duration_ms));

/** All are to be answered with 2xx. */
export const taken =
  (make: (play: Play) => readonly Delivery[]): Judge =>
  async (play) => {
    const answers: Answer[] = [];
    for (const delivery of make(play)) {
      const answer = await play.send(delivery);
      if (!isTaken(answer)) return fail(`${delivery.as}: ${said(answer)}`);
      answers.push(answer);
    }
    const many = answers.length === 1 ? '' : `${answers.length} deliveries, the slowest `;
    return pass(`${answers.at(-1)?.status}: ${many}after ${slowest(answers)} ms`);
  };

/** All are to be answered with 4xx. */
export const refused =
  (make: (play: Play) => readonly Delivery[]): Judge =>
  async (play) => {
    const statuses = new Set<number | null>();
    for (const delivery of make(play)) {
      const answer = await play.send(delivery);
      if (!isOf(4, answer)) return fail(`${delivery.as}: ${said(answer)}, and not 4xx`);
      statuses.add(answer.status);
    }
    return pass(`refused with ${[...statuses].join(', ')}`);
  };

/** Each in turn; the first that fails decides. */
export const all =
  (...judges: readonly Judge[]): Judge =>
  async (play) => {
    const seen: string[] = [];
    for (const judge of judges) {
      const judged = await judge(play);
      if (judged.verdict !== 'pass') return judged;
      seen.push(judged.reason);
    }
    return pass(seen.join('; '));
  };

/** The judge of a duty that no request shows. */
export const unseen =
  (reason: string): Judge =>
  async () =>
    notShown(reason);

/** Two deliveries, of which the second is to change something, or nothing. */
export interface Pair {
  readonly first: Delivery;
  readonly second: Delivery;
}

/** Nothing can be said where the state moves without an event. */
export const restless = notShown('what --state shows changes by itself');

type Shown = Pick<Play, 'effectMs' | 'quietMs'> & { readonly read: () => Promise<string> };

/** The state shown once two reads in a row are the same; null: they are not, for so long. */
export async function settled({ read, quietMs, effectMs }: Shown): Promise<string | null> {
  const until = performance.now() + Math.max(effectMs, 5 * quietMs);
  for (let last = await read(); performance.now() < until; ) {
    await sleep(quietMs);
    const next = await read();
    if (next === last) return next;
    last = next;
  }
  return null;
}

/** How long it took until something else is shown; null: nothing else is, for so long. */
async function changed({ read, quietMs }: Shown, before: string, withinMs: number) {
  const from = performance.now();
  for (;;) {
    const differs = (await read()) !== before;
    const tookMs = performance.now() - from;
    if (differs) return tookMs;
    if (tookMs > withinMs) return null;
    await sleep(quietMs / 5);
  }
}

/**
 * Compares what the Tenant's application shows before and after the second of two deliveries. Without a
 * change after the first one, nothing can be said.
 */
export const effect =
  (expected: 'none' | 'some', make: (play: Play) => readonly Pair[]): Judge =>
  async (play) => {
    if (play.state === null) return notShown('only your records show it: give --state URL');
    const shown: Shown = { ...play, read: play.state };
    if ((await settled(shown)) === null) return restless;
    const seen: string[] = [];
    for (const { first, second } of make(play)) {
      const before = await shown.read();
      await play.send(first);
      const tookMs = await changed(shown, before, play.effectMs);
      if (tookMs === null) continue;
      const between = await settled(shown);
      if (between === null) return restless;
      await play.send(second);
      const again = await changed(shown, between, Math.max(play.quietMs, 2 * tookMs));
      if ((again === null) !== (expected === 'none'))
        return fail(`${second.as}: --state shows ${again === null ? 'no change' : 'a change'}`);
      seen.push(second.as);
    }
    if (seen.length > 0) return pass(`as --state shows after: ${seen.join('; ')}`);
    return notShown('--state shows nothing of the events: name a record of yours with --set');
  };

/** The same events of two records: in another order than that of their making, and in that order. */
export interface Orders {
  readonly late: readonly Delivery[];
  readonly inOrder: readonly Delivery[];
}

/** Compares what the Tenant's application shows in the end of events that came in another order. */
export const sameEnd =
  (make: (play: Play) => readonly Orders[]): Judge =>
  async (play) => {
    if (play.state === null) return notShown('only your records show it: give --state URL');
    const shown: Shown = { ...play, read: play.state };
    const after = async (deliveries: readonly Delivery[]) => {
      let before = await settled(shown);
      for (const delivery of deliveries) {
        await play.send(delivery);
        if (before !== null) await changed(shown, before, play.quietMs);
        before = await settled(shown);
      }
      return before;
    };
    const seen: string[] = [];
    for (const { late, inOrder } of make(play)) {
      const ends = [await after([]), await after(late), await after(inOrder)];
      const [before, middle, end] = ends;
      if (before == null || middle == null || end == null) return restless;
      if (middle === end) continue;
      const as = late.map((delivery) => delivery.as).join(', then ');
      const difference = firstDifference(leavesOf(before), leavesOf(middle), leavesOf(end));
      if (difference !== null) return fail(`${as}: in the end ${difference}`);
      seen.push(as);
    }
    if (seen.length > 0) return pass(`as --state shows in the end of: ${seen.join('; ')}`);
    return notShown('--state shows nothing of the events: name a record of yours with --set');
  };
