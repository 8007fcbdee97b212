import { command } from '@tenant-payments/engine/command.ts';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';
import { sandboxReserveCents, topUpAtOnce } from '../../resources/accounts/sandbox_reserve.ts';
import { nextDaily } from '../../resources/limits/days.ts';

async function reserveOf(db: Kysely<Database>, tenantId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(delta), 0)::bigint as cents from entries
    where tenant_id = ${tenantId} and account_id is null and pocket = 'reserve'`.execute(db);
  return rows[0]?.cents ?? 0;
}

/** Job `reserve_top_up`, at midnight Eastern Time: tops the reserve up to $10,000 (rules/sandbox#21). */
export const reserveTopUpJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command('reserve_top_up', {
    prepare: (_input: { ref: string }, { tenantId }) => reserveOf(db, tenantId),
    load: async () => null,
    decide: (work, _loaded, { ref }, held) => {
      work.scheduleJob('reserve_top_up', ref, nextDaily('00:00', work.now));
      const amount = sandboxReserveCents - held;
      if (amount > 0) topUpAtOnce(work, amount);
      return { value: null };
    },
  });
