import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import {
  anyIdOf,
  type IdKind,
  idPrefixes,
  publicId,
  uuidOf,
} from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { keepProof } from '@tenant-payments/service/invariants/keep_proof.ts';
import type { Verification } from '@tenant-payments/service/invariants/verify.ts';
import { verifyInSteps } from '@tenant-payments/service/invariants/verify.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { wayOf } from '@tenant-payments/service/resources/found_page.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { listLedgerEntries as contract } from '../../contract/records/ledger.ts';

const isKind = (type: string): type is IdKind => type in idPrefixes;

export const entryView = (row: Database['entries']) => ({
  id: publicId('transaction', row.id),
  account_id: row.account_id && publicId('account', row.account_id),
  pocket: row.pocket,
  delta: row.delta,
  number: row.number,
  balance_after: row.balance_after,
  ledger_after: row.ledger_after,
  source_type: row.source_type,
  source_id: isKind(row.source_type) ? publicId(row.source_type, row.source_id) : row.source_id,
  step: row.step,
  transaction_type: row.transaction_type,
  amount: row.amount,
  fee_amount: row.fee_amount,
  created_at: row.created_at,
});

/** GET /portal/api/ledger/entries, newest first or turned around. An unknown id is an empty list. */
export async function listEntries(
  { tenantId, db, pages }: ReadContext,
  {
    account_id,
    source_id,
    pocket,
    from,
    to,
    order,
    limit = defaultLimit,
    cursor,
  }: QueryOf<typeof contract>,
): Promise<Page<ReturnType<typeof entryView>>> {
  const behind = pages.after(cursor);
  const [beyond] = wayOf(order);
  const way = order === 'oldest' ? 'asc' : 'desc';
  const rows = await db
    .selectFrom('entries')
    .select([
      'tenant_id',
      'id',
      'account_id',
      'pocket',
      'delta',
      'number',
      'balance_after',
      'ledger_after',
      'source_type',
      'source_id',
      'step',
      'leg',
      'transaction_type',
      'amount',
      'fee_amount',
      'counterpart_kind',
      'counterpart_id',
      'created_at',
      'posted_at',
    ])
    .where('tenant_id', '=', tenantId)
    .$if(account_id !== undefined, (q) =>
      q.where('account_id', '=', uuidOf('account', account_id ?? '')),
    )
    .$if(source_id !== undefined, (q) =>
      q.where(sql<boolean>`source_id = ${anyIdOf(source_id ?? '')?.uuid ?? null}::uuid`),
    )
    .$if(pocket !== undefined, (q) => q.where('pocket', '=', pocket ?? ''))
    .$if(from !== undefined, (q) => q.where('created_at', '>=', from ?? ''))
    .$if(to !== undefined, (q) => q.where('created_at', '<', to ?? ''))
    .$if(behind !== null, (q) =>
      q.where(
        sql<boolean>`(created_at, id) ${beyond} (${behind?.created_at}::timestamptz, ${behind?.id}::uuid)`,
      ),
    )
    .orderBy('created_at', way)
    .orderBy('id', way)
    .limit(limit + 1)
    .execute();
  return pages.page(rows, limit, entryView);
}

/** GET /portal/api/ledger/verify: checks every invariant on this tenant's ledger (rules/invariants). */
export const verifyTenant =
  (service: Pick<Service, 'pool' | 'clocks' | 'processRegistry'>) =>
  ({ tenantId }: ReadContext): Promise<Verification> =>
    keepProof(service, { tenantId, cause: 'person' }, () => verifyInSteps(service.pool, tenantId));
