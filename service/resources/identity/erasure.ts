import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { type Clocks, tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import { identityYears } from '../customers/erasure/retention.ts';
import { nextDaily } from '../limits/days.ts';
import { identityErasedAt } from './vault.ts';

/** Customers whose data goes in one transaction. */
const customersAtOnce = 100;

interface Erasing {
  readonly db: Kysely<Database>;
  readonly clocks: Pick<Clocks, 'realNow'>;
}

/** Deletes what the vault keeps of a customer and its owners; the decisions on them stay. */
export async function emptyVault(
  trx: Kysely<Database>,
  tenantId: string,
  customerIds: readonly string[],
): Promise<void> {
  const theirs = sql`tenant_id = ${tenantId} and customer_id = any(${customerIds}::uuid[])`;
  const records = sql`(select id from identity_records where ${theirs})`;
  const ofThese = sql`tenant_id = ${tenantId} and record_id in ${records}`;
  await sql`delete from identity_fields where ${ofThese}`.execute(trx);
  await sql`delete from identity_contents where tenant_id = ${tenantId}
    and id in (select id from identity_documents where ${theirs})`.execute(trx);
  await sql`delete from identity_documents where ${theirs}`.execute(trx);
  await sql`delete from identity_checks where ${theirs}`.execute(trx);
  await sql`delete from identity_records where ${theirs}`.execute(trx);
}

/** Reads the records whose time is over, by the rule of rules/identity#8. */
async function readDue(
  db: Kysely<Database>,
  tenantId: string,
  now: Instant,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c
    left join accounts a on a.tenant_id = c.tenant_id and a.customer_id = c.id
    where c.tenant_id = ${tenantId}
      and exists (select from identity_records r
        where r.tenant_id = c.tenant_id and r.customer_id = c.id)
      and ((coalesce(a.closed_at, case when a.id is null and c.withdrawn_reason is not null
          then c.verification_updated_at end) at time zone 'UTC')
        + make_interval(years => ${identityYears})) at time zone 'UTC' <= ${now}
      and not coalesce(a.legal_hold, false)
      and not exists (select from disputes d where d.tenant_id = c.tenant_id
        and d.customer_id = c.id and d.status <> 'closed')
    order by c.id limit ${customersAtOnce}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Empties the vault of those whose time is over. A hold that is being placed is waited for, and looked at before anything
 * is deleted: their accounts are locked until then.
 */
const emptyDue = (db: Kysely<Database>, tenantId: string, now: Instant) =>
  db.transaction().execute(async (trx) => {
    const found = await readDue(trx, tenantId, now);
    await sql`select from accounts where tenant_id = ${tenantId}
      and customer_id = any(${found}::uuid[]) order by id for share`.execute(trx);
    const still = new Set(await readDue(trx, tenantId, now));
    const due = found.filter((id) => still.has(id));
    if (due.length > 0) await emptyVault(trx, tenantId, due);
    return due;
  });

interface Erased {
  readonly customers: readonly string[];
  /** Whether anything is left that a later night erases. */
  readonly isLeft: boolean;
}

async function eraseDue({ db, clocks }: Erasing, tenantId: string): Promise<Erased> {
  const facts = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select(['clock_offset_ms', 'clock_at'])
    .executeTakeFirstOrThrow();
  const now = instantOf(tenantNowMs(facts, clocks.realNow()));
  const customers = await emptyDue(db, tenantId, now);
  const { rows } = await sql<{ is_left: boolean }>`
    select exists (select from identity_records where tenant_id = ${tenantId}) as is_left`.execute(
    db,
  );
  return { customers, isLeft: rows[0]?.is_left ?? false };
}

/**
 * Job `identity_erasure`: empties the vault of customers five years after their account closed or their application
 * was withdrawn (31 CFR 1020.220(a)(3)(ii)). What the vault keeps first schedules it.
 */
export const identityErasureJob = (erasing: Erasing) =>
  command('identity_erasure', {
    prepare: (_input: { ref: string }, { tenantId }) => eraseDue(erasing, tenantId),
    load: async () => null,
    decide: (work, _nothing, { ref }, { customers, isLeft }) => {
      if (customers.length > 0)
        work.audit({
          act: 'eraseIdentity',
          record: null,
          after: { customers: customers.map((id) => publicId('customer', id)) },
        });
      const more = customers.length === customersAtOnce;
      if (!isLeft) work.cancelJob('identity_erasure', ref);
      else
        work.scheduleJob(
          'identity_erasure',
          ref,
          more ? work.now : nextDaily(identityErasedAt, work.now),
        );
      return { value: null };
    },
  });
