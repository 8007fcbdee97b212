import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Role } from '@tenant-payments/service/config/values.ts';
import { liveForMs } from '@tenant-payments/service/operations/process_registry.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { Operations } from '../../contract/operate/operations.ts';
import { ownTenant } from '../../own_tenant.ts';
import { type Asked, readDeliveries, readJobs } from './queues.ts';
import { type Seen, together } from './together.ts';
import { allWorries, worriesOf } from './worries.ts';

/** A night and the time that its proofs take. */
const provenWithinMs = 26 * 3_600_000;

interface ProcessRow {
  readonly process_id: string;
  readonly roles: string;
  readonly version: string | null;
  readonly started_at: Instant;
  readonly seen_at: Instant;
}

type Processes = Operations['processes'];

async function readProcesses({ db, realMs }: Asked, ownId: string): Promise<Processes> {
  const { rows } =
    await sql<ProcessRow>`select process_id, roles, version, started_at, seen_at from processes
    order by started_at, process_id limit 1000`.execute(db);
  return rows.map(({ process_id, roles, version, started_at, seen_at }) => ({
    id: process_id,
    roles: roles.split(',') as Role[],
    version,
    started_at,
    seen_at,
    state: epochMs(seen_at) >= realMs - liveForMs ? 'live' : 'lost',
    is_answering: process_id === ownId,
  }));
}

/** A Tenant that is younger than a day may not have been proven yet. */
async function readProofs({ db, tenantId, realMs }: Asked): Promise<Operations['proofs']> {
  const since = instantOf(realMs - provenWithinMs);
  const { rows } = await sql<Operations['proofs']>`
    select count(*) filter (where t.created_at < ${since}) as tenants,
      count(*) filter (where t.created_at < ${since} and p.ok and p.at >= ${since}) as proven,
      count(*) filter (where not p.ok) as violated,
      count(*) filter (where t.created_at < ${since} and (p.at is null or p.at < ${since}))
        as not_proven,
      min(p.at) as oldest_at
    from tenants t left join lateral (select at, ok from ledger_proofs
      where tenant_id = t.tenant_id order by at desc, id desc limit 1) p on true
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}`.execute(db);
  return rows[0] ?? { tenants: 0, proven: 0, violated: 0, not_proven: 0, oldest_at: null };
}

/** GET /portal/api/operations (rules/operations#64). A sandbox's program sees its own queues alone. */
export const getOperations =
  ({ clocks, peers }: Pick<Service, 'clocks' | 'peers'>) =>
  async (context: ReadContext): Promise<Operations> => {
    const realMs = clocks.realNow();
    const now = instantOf(realMs);
    const tenantId = ownTenant(context);
    const seen = await Promise.all(
      peers.all().map((cell) => seeCell(cell, { db: cell.db, tenantId, realMs, now })),
    );
    const worries = allWorries.filter((worry) => seen.some((cell) => worriesOf(cell)[worry]));
    return { object: 'operations', at: now, worries, ...seen.reduce(together) };
  };

async function seeCell(
  { pool, processRegistry }: Pick<Service, 'pool' | 'processRegistry'>,
  asked: Asked,
): Promise<Seen> {
  // Counted before the queries below, which need connections themselves.
  const database = {
    in_use: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  };
  const [processes, jobs, deliveries, proofs] = await Promise.all([
    readProcesses(asked, processRegistry.id),
    readJobs(asked),
    readDeliveries(asked),
    readProofs(asked),
  ]);
  return { processes, jobs, deliveries, database, proofs };
}
