import { faultFacts } from '../core/fault.ts';
import { instantOf } from '../core/instant.ts';
import { runLoop } from '../core/loop/run_loop.ts';
import { verifyUnlessTaken } from '../invariants/verify.ts';
import { nextDaily } from '../resources/limits/days.ts';
import type { Service } from '../service.ts';

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
  const untilNextMs = () => {
    const nowMs = clocks.realNow();
    return Date.parse(nextDaily(verifiedAt, instantOf(nowMs))) - nowMs;
  };
  const loop = runLoop({
    firstAfterMs,
    pauseMs: untilNextMs,
    turn: async () => void (await verifyNow()),
    failure: 'the ledgers could not be verified',
    log,
  });
  const { stopping } = loop;

  async function verifyOne(tenantId: string, night: Night): Promise<void> {
    const verification = await verifyUnlessTaken(pool, tenantId, stopping);
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
      if (stopping.aborted) return;
      await verifyOne(tenant_id, night).catch((error: unknown) => {
        if (!stopping.aborted)
          log.error({ tenant_id, fault: faultFacts(error) }, 'a ledger could not be verified');
      });
    }
  }

  async function verifyNow(): Promise<number> {
    const night: Night = { tenants: 0, rows: 0, violations: 0 };
    const begunMs = performance.now();
    await verifyAll(night);
    if (stopping.aborted) return night.tenants;
    meters.ledgerViolations.set(night.violations);
    const duration_ms = Math.round(performance.now() - begunMs);
    log.info({ ...night, duration_ms }, 'the ledgers were verified');
    return night.tenants;
  }

  return { start: loop.start, verifyNow, stop: loop.stop };
}
