import { realInstantOf, tenantNowMs } from '../core/clock.ts';
import { addSeconds, epochMs, type Instant } from '../core/instant.ts';
import type { Chaos } from '../sandbox_tools.ts';
import type { ClaimedDelivery } from './store.ts';

/** What was claimed: some may be attempted now, with their faults; some are held back. */
export interface MetFaults {
  readonly ready: readonly ClaimedDelivery[];
  readonly held: readonly { readonly row: ClaimedDelivery; readonly wakeAt: Instant }[];
}

/** Faults meet the first attempt, and the second where the first was one that failed so. */
const mayMeet = ({ state }: ClaimedDelivery): boolean => state.attempts <= 1;

/**
 * Lets the sandbox's chaos at what was claimed. A late event waits on the tenant's clock, so an
 * advance passes its time like any other (decisions 2.5).
 * @param chaos null in production
 */
export async function meetFaults(
  chaos: Chaos | null,
  rows: readonly ClaimedDelivery[],
  realMs: number,
): Promise<MetFaults> {
  const candidates = rows.filter(mayMeet);
  const faults = candidates.length > 0 ? await chaos?.faultsOf(candidates) : null;
  if (!faults || faults.size === 0) return { ready: rows, held: [] };
  const met = rows.map((row) => ({ ...row, fault: faults.get(row.eventId) ?? null }));
  const releaseOf = ({ fault, state, createdAt }: ClaimedDelivery): Instant =>
    addSeconds(createdAt, state.attempts === 0 ? (fault?.delayMs ?? 0) / 1000 : 0);
  const isHeld = (row: ClaimedDelivery) => epochMs(releaseOf(row)) > tenantNowMs(row.clock, realMs);
  return {
    ready: met.filter((row) => !isHeld(row)),
    held: met
      .filter(isHeld)
      .map((row) => ({ row, wakeAt: realInstantOf(row.clock, releaseOf(row)) })),
  };
}
