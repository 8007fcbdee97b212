import { realInstantOf, tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { addSeconds, epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { DeliveryFaults } from './delivery_fault.ts';
import type { ClaimedDelivery } from './store.ts';

/** Claimed deliveries: some may be attempted now, with their faults; some are postponed. */
export interface FaultedDeliveries {
  readonly ready: readonly ClaimedDelivery[];
  readonly held: readonly { readonly row: ClaimedDelivery; readonly wakeAt: Instant }[];
}

/** Faults apply to the first attempt, and to the second where the first one failed by a fault. */
const mayHaveFault = ({ state }: ClaimedDelivery): boolean => state.attempts <= 1;

/**
 * Adds the sandbox's faults to claimed deliveries. A delayed event waits on the tenant's clock, so
 * an advance passes its time like any other (rules/sandbox#28).
 * @param source null in production
 */
export async function addFaults(
  source: DeliveryFaults | null,
  rows: readonly ClaimedDelivery[],
  realMs: number,
): Promise<FaultedDeliveries> {
  const candidates = rows.filter(mayHaveFault);
  const faults = candidates.length > 0 ? await source?.faultsOf(candidates) : null;
  if (!faults || faults.size === 0) return { ready: rows, held: [] };
  const faulted = rows.map((row) => ({ ...row, fault: faults.get(row.eventId) ?? null }));
  const releaseOf = ({ fault, state, createdAt }: ClaimedDelivery): Instant =>
    addSeconds(createdAt, state.attempts === 0 ? (fault?.delayMs ?? 0) / 1000 : 0);
  const isHeld = (row: ClaimedDelivery) => epochMs(releaseOf(row)) > tenantNowMs(row.clock, realMs);
  return {
    ready: faulted.filter((row) => !isHeld(row)),
    held: faulted
      .filter(isHeld)
      .map((row) => ({ row, wakeAt: realInstantOf(row.clock, releaseOf(row)) })),
  };
}
