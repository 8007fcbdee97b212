import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { peerOf } from '@tenant-payments/service/cells/peer_of.ts';
import { csvLine } from '@tenant-payments/service/http/files/csv.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { addDays, startOfDay } from '@tenant-payments/service/resources/limits/days.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { getSandboxBankStatement as contract } from '../../../contract/money/bank_statements.ts';
import { visibleTenants } from '../../../tenants/visible_tenants.ts';

interface Movement {
  readonly amount: number;
  readonly reference: string;
  readonly description: string;
}

/** Orders that were executed: when, and the sign of what moved. */
const executed = (
  table: string,
  {
    at,
    where,
    sign,
    words,
  }: { at: string; where: RawBuilder<unknown>; sign: 1 | -1; words: string },
) => sql`select ${sql.lit(sign)} * i.amount as amount, i.id::text as reference,
    ${words} as description, r.${sql.ref(at)} as at, i.tenant_id
  from instructions i join ${sql.table(table)} r on r.tenant_id = i.tenant_id and r.id = i.source_id
  where ${where}`;

/**
 * The movements of the sandbox's bank. It keeps no books of its own, so its statement is made of the orders that it was
 * given and of what was heard of them, not of the ledger's cash.
 */
const movements = sql.join(
  [
    executed('loads', {
      at: 'settled_at',
      where: sql`r.status = 'settled'`,
      sign: 1,
      words: 'Load',
    }),
    executed('payments', {
      at: 'completed_at',
      where: sql`i.source_type = 'payment' and r.completed_at is not null`,
      sign: 1,
      words: 'Payment by bank',
    }),
    executed('withdrawals', {
      at: 'settled_at',
      where: sql`r.status = 'settled'`,
      sign: -1,
      words: 'Withdrawal',
    }),
    executed('refunds', {
      at: 'completed_at',
      where: sql`r.completed_at is not null`,
      sign: -1,
      words: 'Refund',
    }),
    sql`select -i.amount, i.id::text, 'Credit of a dispute', coalesce(i.sent_at, i.created_at), i.tenant_id
      from instructions i join disputes d on d.tenant_id = i.tenant_id and d.id = i.source_id
      where i.source_type = 'dispute' and d.credit_route = 'arrived'`,
    sql`select s.amount, coalesce(i.id, s.id)::text, 'Unmatched money', s.created_at, s.tenant_id
      from suspense s left join instructions i on i.tenant_id = s.tenant_id
        and i.source_type = s.source_type and i.source_id = s.source_id
      where s.reason <> 'undeliverable'`,
    sql`select case i.purpose when 'reserve_top_up' then i.amount else -i.amount end, i.id::text,
        initcap(replace(i.purpose, '_', ' ')), coalesce(i.sent_at, i.created_at), i.tenant_id
      from instructions i where i.source_type = 'adjustment' and i.answer = 'settled'`,
  ],
  sql` union all `,
);

async function readMovements({ db }: ReadContext, tenantId: string, until: string) {
  const { rows } = await sql<Movement & { at: string }>`
    select m.amount, m.reference, m.description, m.at from (${movements}) m
    where m.tenant_id = ${tenantId} and m.at < ${until}::timestamptz
    order by m.at, m.reference`.execute(db);
  return rows;
}

/**
 * GET /portal/api/sandbox/bank-statement (rules/money-desk#13).
 * @throws ApiError not_found, param tenant_id
 */
export const sandboxStatement =
  (service: Service) =>
  async (
    context: ReadContext,
    { tenant_id, day }: QueryOf<typeof contract>,
  ): Promise<Static<(typeof contract)['success']['schema']>> => {
    const [tenantId] = visibleTenants(context, tenant_id) ?? [];
    const { db } = await peerOf(service, tenantId ?? '');
    const { rows: known } = await sql`select 1 from tenants
    where tenant_id = ${tenantId ?? null}::uuid`.execute(db);
    if (tenantId === undefined || known.length === 0)
      throw fail('not_found', { param: 'tenant_id' });
    const from = startOfDay(day);
    const all = await readMovements({ ...context, db }, tenantId, startOfDay(addDays(day, 1)));
    const closing = all.reduce((sum, { amount }) => sum + amount, 0);
    const lines = all
      .filter(({ at }) => at >= from)
      .map(({ amount, reference, description }) => [day, amount, reference, description, '']);
    const names = ['date', 'amount_cents', 'reference', 'description', 'closing_balance'];
    return {
      object: 'sandbox_bank_statement',
      file_name: `sandbox-bank-${day}.csv`,
      csv: [names, ...lines, [day, '', '', '', closing]].map(csvLine).join(''),
    };
  };
