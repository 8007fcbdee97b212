import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { unacknowledged } from '../invariants/acknowledged.ts';
import { byGrade } from '../invariants/grade.ts';
import { keepProof } from '../invariants/keep_proof.ts';
import { type Night, proveTonight } from '../invariants/nightly_proof.ts';
import type { Verification } from '../invariants/verify.ts';
import { nextDaily } from '../resources/limits/days.ts';
import type { Service } from '../service.ts';
import type { CatchUp } from './catch_up.ts';
import { watchLive } from './live_watch.ts';
import { watchOwnMoney } from './own_money_watch.ts';
import { proveSettings } from './prove_settings.ts';
import { openRequestWatch } from './request_watch.ts';

/** In Eastern Time, of real time: after the redaction of events, before the reports. */
const verifiedAt = '04:00';
/** A start may follow a crash, an upgrade or a restored backup. */
const firstAfterMs = 5 * 60_000;
const violationsLogged = 20;

/** Only the first says to stop moving money. */
const alarms = {
  money: { alarm: 'ledger' },
  order: { alarm: 'ledger_order' },
  time: { alarm: 'ledger_time' },
} as const;

/** Verifies the ledgers each totals (rules/invariants#21). */
export interface Nightly {
  /** Verifies some minutes after the start, and then each totals. Only a worker does. */
  start(): void;
  /** @returns how many tenants' ledgers were verified, without those that another process verifies */
  verifyNow(): Promise<number>;
  /** Ends a verification under way; it has changed nothing. */
  stop(): Promise<void>;
}

type Needs = Pick<
  Service,
  'pool' | 'db' | 'environment' | 'clocks' | 'log' | 'meters' | 'processRegistry'
>;

/** Results so far, of all tenants. */
interface Totals {
  tenants: number;
  rows: number;
  violations: number;
}

/** The alarms of a ledger that violates invariants, one for each grade; what was acknowledged raises none. */
export function tellViolations(
  log: Needs['log'],
  tenantId: string,
  { violations }: Verification,
): void {
  for (const { grade, found } of byGrade(unacknowledged(violations)))
    log.error(
      {
        ...alarms[grade],
        tenant_id: tenantId,
        found: found.length,
        violations: found.slice(0, violationsLogged),
      },
      'the ledger violates invariants',
    );
}

interface Options extends Pick<Night, 'rests' | 'wholeBelow' | 'sealsAlways' | 'openFor'> {
  /** Goes before the verification of each. */
  readonly catchUp?: CatchUp;
}

/**
 * The nightly verification of every tenant's ledger, in real time, whatever the tenants' clocks do.
 * Each ledger is read in a snapshot of its own, one after the other, outside of every batch;
 * processes that verify at the same time share the tenants.
 * @param how absent: as of a night
 */
export function openNightly(service: Needs, { catchUp, ...how }: Options = {}): Nightly {
  const { pool, clocks, log, meters } = service;
  const requests = openRequestWatch(service);
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

  async function verifyOne(tenantId: string, totals: Totals): Promise<void> {
    await catchUp?.run(tenantId);
    const verification = await keepProof(service, { tenantId, cause: 'night' }, () =>
      proveTonight(pool, tenantId, { ...how, clocks, signal: stopping }),
    );
    if (!verification) return;
    const { ok, checked, violations, head } = verification;
    if (head)
      log.info(
        { checkpoint_head: { tenant_id: tenantId, ...head } },
        'where a chain of checkpoints ends',
      );
    totals.tenants += 1;
    totals.rows += checked;
    totals.violations += unacknowledged(violations).length;
    if (!ok) tellViolations(log, tenantId, verification);
    await requests.watch(tenantId);
    await watchLive(service, tenantId);
    await watchOwnMoney(service, tenantId);
  }

  /** A ledger that cannot be read does not keep the others from being verified. */
  async function verifyAll(totals: Totals): Promise<void> {
    await proveSettings(service);
    const { rows } = await pool.query<{ tenant_id: string }>(
      'select tenant_id from tenants order by tenant_id',
    );
    for (const { tenant_id } of rows) {
      if (stopping.aborted) return;
      await verifyOne(tenant_id, totals).catch((error: unknown) => {
        if (!stopping.aborted)
          log.error({ tenant_id, fault: faultFacts(error) }, 'a ledger could not be verified');
      });
    }
  }

  async function verifyNow(): Promise<number> {
    const totals: Totals = { tenants: 0, rows: 0, violations: 0 };
    const begunMs = performance.now();
    await verifyAll(totals);
    if (stopping.aborted) return totals.tenants;
    meters.ledgerViolations.set(totals.violations);
    requests.show();
    const duration_ms = Math.round(performance.now() - begunMs);
    log.info({ ...totals, duration_ms }, 'the ledgers were verified');
    return totals.tenants;
  }

  return { start: loop.start, verifyNow, stop: loop.stop };
}
