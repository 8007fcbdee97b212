import { keyOfOneInCell } from '@tenant-payments/engine/advisory_lock.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import type pg from 'pg';
import { inspectSince, type Start } from './night/prove.ts';
import { type CheckpointHead, openForSeconds, sealableNow, sealProven } from './sealed/seal.ts';
import { inSnapshots, TenantLeft, withPoolClient } from './snapshots.ts';
import { inspectLedger, type Verification } from './verify.ts';

/** Advisory lock for a tenant: a process that does not get it leaves the tenant to the other. */
export const nightLock = 1_107_330_402;

/** The rest of a proof, as a multiple of its work: it has all night, and payments shall not notice it. */
const nightRests = 9;
/** A ledger of fewer sealed entries is proven whole each night: that takes less than two minutes. */
export const wholeBelow = 1_000_000;
/** Processes that start again and again make no more checkpoints than one that runs on. */
const sealedAfter = '20 hours';
const dayMs = 24 * 3_600_000;

/** How a verification leaves the database to others. */
export interface Haste {
  /** Ends the verification and closes its connection. */
  readonly signal: AbortSignal;
  /** How long it rests after each step, as a multiple of the time that the step took. */
  readonly rests?: number | undefined;
}

export interface Night extends Haste {
  readonly clocks: Pick<Clocks, 'realNow'>;
  /** A ledger with so many sealed entries is proven from its last checkpoint on. */
  readonly wholeBelow?: number | undefined;
  /** Seals however new the last checkpoint is. */
  readonly sealsAlways?: boolean | undefined;
  /** How old entries are that may be sealed, in seconds; absent: an hour, as no transaction is open for longer. */
  readonly openFor?: number | undefined;
}

export interface NightProof extends Verification {
  /** The end of the chain of checkpoints, if this proof has sealed one. */
  readonly head: CheckpointHead | null;
}

const last = `select c.number, c.until, c.proven_at as "provenAt", s.entries,
    c.proven_at > clock_timestamp() - interval '${sealedAfter}' as "isNew"
  from ledger_checkpoints c
  cross join (select sum(entries)::bigint as entries from ledger_checkpoints where tenant_id = $1) s
  where c.tenant_id = $1 order by c.number desc limit 1`;

type Last = Omit<Start, 'tenantId'> & { readonly entries: number; readonly isNew: boolean };

/** The proof of one night in the client's transactions, and what it seals if it holds. */
async function proveAndSeal(
  client: pg.ClientBase,
  tenantId: string,
  { signal, rests = nightRests, clocks, openFor = openForSeconds, ...night }: Night,
): Promise<NightProof> {
  const paced = { tenantId, rests, signal };
  const { rows } = await client.query<Last>(last, [tenantId]);
  const [start] = rows;
  const realNowMs = clocks.realNow();
  const sealable = await sealableNow(client, { tenantId, realNowMs, openFor });
  const isWhole = !start || start.entries < (night.wholeBelow ?? wholeBelow);
  const found = await inSnapshots(client, paced, (pause) =>
    isWhole
      ? inspectLedger(client, { tenantId }, { pause })
      : inspectSince(
          client,
          { tenantId, ...start, openFor },
          { pause, night: Math.floor(realNowMs / dayMs) },
        ),
  );
  const seals = found.ok && sealable && (night.sealsAlways || !start?.isNew);
  const head = seals ? await sealProven(client, tenantId, sealable) : null;
  return { ...found, since: isWhole ? null : start.number, head };
}

/**
 * Proves a Tenant's ledger while its payments go on, unless another process does so now: from its last
 * checkpoint on if it is large, else whole. A proof that holds seals what it has proven.
 * @returns null while another process verifies it, and once it is in another cell
 * @throws what the database throws, and when the signal ends it
 */
export const proveTonight = (
  pool: pg.Pool,
  tenantId: string,
  night: Night,
): Promise<NightProof | null> =>
  withPoolClient(
    pool,
    async (client) => {
      const ask = async (what: string) => {
        const text = `select ${what}(${keyOfOneInCell}) as done`;
        return (await client.query<{ done: boolean }>(text, [nightLock, tenantId])).rows[0]?.done;
      };
      if (!(await ask('pg_try_advisory_lock'))) return null;
      const found = await proveAndSeal(client, tenantId, night).catch(async (error: unknown) => {
        if (!(error instanceof TenantLeft)) throw error;
        await client.query('rollback');
        await client.query('close all');
        return null;
      });
      await ask('pg_advisory_unlock');
      return found;
    },
    night.signal,
  );
