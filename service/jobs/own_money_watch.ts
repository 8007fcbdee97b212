import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { sql } from 'kysely';
import type { Service } from '../service.ts';

type Needs = Pick<Service, 'db' | 'log'>;

interface Held {
  readonly items: number;
  /** Cents. */
  readonly amount: number;
  /** By the clock of the Tenant. */
  readonly since: Instant;
}

async function tellSuspense({ db, log }: Needs, tenantId: string): Promise<void> {
  const { rows } = await sql<Held>`
    select count(*)::integer as items, sum(amount)::bigint as amount, min(created_at) as since
    from suspense where tenant_id = ${tenantId} and status = 'held' having count(*) > 0`.execute(
    db,
  );
  for (const held of rows)
    log.error(
      { alarm: 'suspense', tenant_id: tenantId, ...held },
      'bank money stands in suspense: nobody has matched or returned it',
    );
}

async function tellReserve({ db, log }: Needs, tenantId: string): Promise<void> {
  const { rows } = await sql<{ balance: number }>`
    select sum(delta)::bigint as balance from entries
    where tenant_id = ${tenantId} and pocket = 'reserve' having sum(delta) < 0`.execute(db);
  for (const { balance } of rows)
    log.error(
      { alarm: 'reserve', tenant_id: tenantId, balance },
      'the reserve is below zero: customers have more than is at the bank',
    );
}

/** Tells each night of a Tenant's own accounts that wait for a person, for as long as they do (rules/ledger#29). */
export async function watchOwnMoney(needs: Needs, tenantId: string): Promise<void> {
  await tellSuspense(needs, tenantId);
  await tellReserve(needs, tenantId);
}
