import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { PollResult, Receipt } from '@tenant-payments/service/rails/providers/provider.ts';
import { PlaidFault } from './client.ts';

/** One turn of a poll over things that are each looked at by calls of their own (rules/rails#12). */

/** Less than a poll has, by the call that asks whether Plaid is there at all. */
const turnMs = 45_000;
const mostAsked = 25;

/** Faults that every other call would have too. */
const ofAll = [
  'INVALID_API_KEYS',
  'UNAUTHORIZED_ENVIRONMENT',
  'UNAUTHORIZED_ROUTE_ACCESS',
  'PLANNED_MAINTENANCE',
];
const isOfAll = ({ code }: PlaidFault): boolean => ofAll.includes(code) || code.endsWith('_LIMIT');

interface Looking<T> {
  /** The place behind which the things stand; null: they are the first. */
  readonly cursor: string | null;
  /** So many were asked for: fewer are the last. */
  readonly pageSize: number;
  /** Whether Plaid is asked about it. */
  isAsked(one: T): boolean;
  look(one: T, call: RailsCall): Promise<readonly Receipt[]>;
  /** Asks Plaid for what no item has a part in. @throws PlaidFault */
  probe(call: RailsCall): Promise<unknown>;
}

/**
 * Looks at one after another, until the time is over. One that Plaid does not answer for holds up no other.
 * @param late when no more are begun
 * @returns the receipts, with the last that it is done with as the cursor; null: that was the last of all
 * @throws PlaidFault where the turn ends before it is done with one, or Plaid answers neither for one of them nor the
 *   probe
 */
export async function lookAtEach<T extends { readonly key: string }>(
  found: readonly T[],
  { cursor, pageSize, isAsked, look, probe }: Looking<T>,
  call: RailsCall,
  late: AbortSignal = AbortSignal.timeout(turnMs),
): Promise<PollResult> {
  const within = { ...call, signal: AbortSignal.any([call.signal, late]) };
  const receipts: Receipt[] = [];
  let [done, asked, answered] = [0, 0, 0];
  let fault: PlaidFault | null = null;
  for (const one of found) {
    if (asked === mostAsked || within.signal.aborted) break;
    try {
      receipts.push(...(await look(one, within)));
      if (isAsked(one)) answered += 1;
    } catch (error) {
      if (!(error instanceof PlaidFault)) throw error;
      fault = error;
      if (within.signal.aborted || isOfAll(error)) break;
    }
    if (isAsked(one)) asked += 1;
    done += 1;
  }
  if (fault && done === 0) throw fault;
  if (fault && answered === 0) await probe(call);
  const isEnd = done === found.length && found.length < pageSize;
  return { cursor: isEnd ? null : (found[done - 1]?.key ?? cursor), receipts };
}
