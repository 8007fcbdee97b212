import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { nextDaily } from '@tenant-payments/service/resources/limits/days.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { keepAuditProof } from './kept_proofs.ts';
import { unexplainedRights } from './rights.ts';
import { auditScopes, type Head, verifyChainUnlessTaken } from './verify.ts';

/** The hour in Eastern Time, by the real clock: after the ledgers are verified. */
const verifiedAt = '04:30';
/**
 * Milliseconds from the start to the first verification. A start may follow a restored backup, so
 * it does not wait for the night.
 */
const firstAfterMs = 6 * 60_000;
/** The log line of unexplained rights names no more than this. */
const shownRights = 20;

/** Verifies the chains of the audit each night (rules/audit#16). */
export interface AuditNightly {
  /** Verifies some minutes after the start, and then each night. Only a worker does. */
  start(): void;
  /** @returns how many chains were verified, without those that another process verifies */
  verifyNow(): Promise<number>;
  /** Ends a verification under way; it has changed nothing. */
  stop(): Promise<void>;
}

/** The results of all chains so far. */
interface Totals {
  chains: number;
  rows: number;
  faults: number;
}

export function openAuditNightly({
  control,
  clocks,
  environment,
  log,
  meters,
}: Pick<Service, 'control' | 'clocks' | 'environment' | 'log' | 'meters'>): AuditNightly {
  /**
   * The end of each chain when this process verified it last: it shows an end that was cut off
   * since.
   */
  const known = new Map<string, Head>();
  const untilNextMs = () => {
    const nowMs = clocks.realNow();
    return Date.parse(nextDaily(verifiedAt, instantOf(nowMs))) - nowMs;
  };
  const { start, stop, stopping } = runLoop({
    firstAfterMs,
    pauseMs: untilNextMs,
    turn: async () => void (await verifyNow()),
    failure: 'the audit could not be verified',
    log,
  });

  async function verifyOne(scope: string, totals: Totals): Promise<void> {
    const head = known.get(scope);
    const options = { signal: stopping, ...(head && { head }) };
    const proof = await verifyChainUnlessTaken(control, scope, options);
    if (!proof) return;
    await keepAuditProof(control, scope, proof, instantOf(clocks.realNow()));
    const { ok, checked, faults, heads } = proof;
    totals.chains += 1;
    totals.rows += checked;
    totals.faults += faults.length;
    if (ok) for (const { number, hash } of heads) known.set(scope, { number, hash });
    else
      log.error(
        { alarm: 'audit', scope, faults: faults.map(({ number, fault }) => ({ number, fault })) },
        'a chain of the audit was changed',
      );
  }

  /** A chain that cannot be read does not keep the others from being verified. */
  async function verifyAll(totals: Totals): Promise<void> {
    for (const scope of await auditScopes(control)) {
      if (stopping.aborted) return;
      await verifyOne(scope, totals).catch((error: unknown) => {
        if (!stopping.aborted)
          log.error({ scope, fault: faultFacts(error) }, 'a chain could not be verified');
      });
    }
  }

  /** Skipped in a sandbox, which gives its sample people their roles without a row of the audit. */
  async function verifyRights(totals: Totals): Promise<void> {
    if (environment === 'sandbox') return;
    const rights = await unexplainedRights(control);
    totals.faults += rights.length;
    if (rights.length > 0)
      log.error(
        { alarm: 'audit', rights: rights.slice(0, shownRights) },
        'no row of the audit explains these roles, passkeys or API keys',
      );
  }

  async function verifyNow(): Promise<number> {
    const totals: Totals = { chains: 0, rows: 0, faults: 0 };
    const begunMs = performance.now();
    await verifyAll(totals);
    if (!stopping.aborted) await verifyRights(totals);
    if (stopping.aborted) return totals.chains;
    meters.auditFaults.set(totals.faults);
    const duration_ms = Math.round(performance.now() - begunMs);
    log.info({ ...totals, duration_ms }, 'the audit was verified');
    return totals.chains;
  }

  return { start, verifyNow, stop };
}
