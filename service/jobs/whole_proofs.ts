import { keyOfOneInCell, whileLocked } from '@tenant-payments/engine/advisory_lock.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { keepProof } from '../invariants/keep_proof.ts';
import { wholeBelow } from '../invariants/nightly_proof.ts';
import { type Verification, verifyInSteps } from '../invariants/verify.ts';
import type { Service } from '../service.ts';
import { tellViolations } from './nightly.ts';

/** Advisory lock of the whole proof of a Tenant. */
const lock = 1_107_330_404;
const firstAfterMs = 30 * 60_000;
const everyMs = 3_600_000;
/** Beside payments it rests nine tenths of its time; a standby has nothing else to do. */
const restsBesidePayments = 9;

/** Proves each large ledger whole, from its first entry on, once a week (rules/invariants#26). */
export interface WholeProofs {
  /** Only a worker does. */
  start(): void;
  /** @returns how many ledgers were proven whole */
  proveNow(): Promise<number>;
  stop(): Promise<void>;
}

interface Options {
  /** A smaller ledger is proven whole each night. */
  readonly from?: number;
}

const due = `select c.tenant_id from (select tenant_id, sum(entries) as entries from ledger_checkpoints
    group by tenant_id) c
  where c.entries >= $1 and not exists (select from ledger_proofs p where p.tenant_id = c.tenant_id
    and p.since_checkpoint is null and p.at > $2::timestamptz - interval '7 days')
  order by c.tenant_id`;

type Needs = Pick<Service, 'pool' | 'standby' | 'clocks' | 'log' | 'processRegistry'>;

/** Beside everything else, since the proof of a hundred million entries takes hours. */
export function openWholeProofs(service: Needs, { from = wholeBelow }: Options = {}): WholeProofs {
  const { pool, standby, clocks, log } = service;
  const loop = runLoop({
    firstAfterMs,
    pauseMs: () => everyMs,
    turn: async () => void (await proveNow()),
    failure: 'the large ledgers could not be proven whole',
    log,
  });
  const signal = loop.stopping;

  /** On the standby; beside payments where there is none, or where it breaks off. */
  async function found(tenantId: string): Promise<Verification> {
    const apart = await standby.fit();
    if (apart)
      try {
        return await verifyInSteps(apart, tenantId, { signal });
      } catch (error) {
        if (signal.aborted) throw error;
        const facts = { tenant_id: tenantId, fault: faultFacts(error) };
        log.warn(facts, 'a proof on DATABASE_READ_URL broke off; it begins anew on the database');
      }
    return verifyInSteps(pool, tenantId, { signal, rests: restsBesidePayments });
  }

  async function prove(tenantId: string): Promise<boolean> {
    const ofTenant = { key: keyOfOneInCell, values: [lock, tenantId] };
    const proof = await whileLocked(pool, ofTenant, () =>
      keepProof(service, { tenantId, cause: 'night' }, () => found(tenantId)),
    );
    if (proof?.ok === false) tellViolations(log, tenantId, proof);
    return proof !== null;
  }

  async function proveNow(): Promise<number> {
    const now = new Date(clocks.realNow()).toISOString();
    const { rows } = await pool.query<{ tenant_id: string }>(due, [from, now]);
    let count = 0;
    for (const { tenant_id } of rows) {
      if (signal.aborted) break;
      const isProven = await prove(tenant_id).catch((error: unknown) => {
        if (!signal.aborted)
          log.error({ tenant_id, fault: faultFacts(error) }, 'a ledger could not be proven whole');
        return false;
      });
      if (isProven) count += 1;
    }
    return count;
  }

  return { start: loop.start, proveNow, stop: loop.stop };
}
