import { instantOf } from '../core/instant.ts';
import { faultFacts } from '../http/errors.ts';
import { verifyUnlessTaken } from '../invariants/verify.ts';
import { nextDaily } from '../resources/limits/days.ts';
import type { Service } from '../service.ts';
import { openPulse } from './pulse.ts';

/** In Eastern Time, of real time: after the texts of events were blanked, before the reports. */
const verifiedAt = '04:00';
/** A start may follow a crash, an upgrade or a restored backup. */
const firstAfterMs = 5 * 60_000;
const violationsLogged = 20;

/** Proves the books by night (decisions 2.3). */
export interface Nightly {
  /** Verifies some minutes after the start, and then each night. Only a worker does. */
  start(): void;
  /** @returns how many tenants' books were verified; those that another process is at are not */
  verifyNow(): Promise<number>;
  /** Gives up what is under way: it changes nothing. */
  stop(): Promise<void>;
}

type Needs = Pick<Service, 'pool' | 'clocks' | 'log' | 'meters'>;

/** What was found so far, of all tenants. */
interface Night {
  tenants: number;
  rows: number;
  violations: number;
}

/**
 * The nightly verification of every tenant's book. Real time brings it, once for a deployment: what
 * breaks a book is no matter of a tenant's clock, and an advance through a year does not meet it. Each
 * book is read in a snapshot of its own, one after the other, outside of every batch; processes that
 * come at the same time share the tenants among them.
 */
export function openNightly({ pool, clocks, log, meters }: Needs): Nightly {
  const pulse = openPulse();
  const ending = new AbortController();
  let looping: Promise<void> | null = null;

  async function verifyOne(tenantId: string, night: Night): Promise<void> {
    const verification = await verifyUnlessTaken(pool, tenantId, ending.signal);
    if (!verification) return;
    const { ok, checked, violations } = verification;
    night.tenants += 1;
    night.rows += checked;
    night.violations += violations.length;
    if (ok) return;
    const told = violations.slice(0, violationsLogged);
    log.error(
      { alarm: 'ledger', tenant_id: tenantId, found: violations.length, violations: told },
      'the ledger does not hold',
    );
  }

  /** A book that cannot be read keeps no other from being verified. */
  async function verifyAll(night: Night): Promise<void> {
    const { rows } = await pool.query<{ tenant_id: string }>(
      'select tenant_id from tenants order by tenant_id',
    );
    for (const { tenant_id } of rows) {
      if (ending.signal.aborted) return;
      await verifyOne(tenant_id, night).catch((error: unknown) => {
        if (!ending.signal.aborted)
          log.error({ tenant_id, fault: faultFacts(error) }, 'a ledger could not be verified');
      });
    }
  }

  async function verifyNow(): Promise<number> {
    const night: Night = { tenants: 0, rows: 0, violations: 0 };
    const begunMs = performance.now();
    await verifyAll(night);
    if (ending.signal.aborted) return night.tenants;
    meters.ledgerViolations.set(night.violations);
    const duration_ms = Math.round(performance.now() - begunMs);
    log.info({ ...night, duration_ms }, 'the ledgers were verified');
    return night.tenants;
  }

  async function loop(): Promise<void> {
    await pulse.wait(firstAfterMs);
    while (!ending.signal.aborted) {
      await verifyNow().catch((error: unknown) =>
        log.error({ fault: faultFacts(error) }, 'the ledgers could not be verified'),
      );
      if (ending.signal.aborted) return;
      const nowMs = clocks.realNow();
      await pulse.wait(Date.parse(nextDaily(verifiedAt, instantOf(nowMs))) - nowMs);
    }
  }

  return {
    start() {
      looping ??= loop();
    },
    verifyNow,
    async stop() {
      ending.abort();
      pulse.wake();
      await looping;
    },
  };
}
