import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { Receipt } from '@tenant-payments/service/rails/providers/provider.ts';
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
  /** Whether Plaid is asked about it. */
  isAsked(one: T): boolean;
  look(one: T, call: RailsCall): Promise<readonly Receipt[]>;
  /** Asks Plaid for what no item has a part in. @throws PlaidFault */
  probe(call: RailsCall): Promise<unknown>;
}

/**
 * Looks at one after another, until the time is over. One that Plaid does not answer for holds up no other.
 * @param late when no more are begun
 * @returns the receipts, and how many it is done with
 * @throws PlaidFault where Plaid answers for none of them, and not otherwise either
 */
export async function lookAtEach<T>(
  found: readonly T[],
  { isAsked, look, probe }: Looking<T>,
  call: RailsCall,
  late: AbortSignal = AbortSignal.timeout(turnMs),
): Promise<{ readonly receipts: readonly Receipt[]; readonly done: number }> {
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
  return { receipts, done };
}
