import {
  type OwnBankAccount,
  ownBankRoles,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  type OwnBankRow,
  shownOwnBank,
} from '@tenant-payments/service/resources/own_bank_accounts/table.ts';
import { sql } from 'kysely';

/** GET /portal/api/own-bank-accounts: one of each role, also where none is set yet. */
export async function listOwnBankAccounts({
  db,
  tenantId,
}: ReadContext): Promise<Page<OwnBankAccount>> {
  const { rows } = await sql<OwnBankRow>`
    select role, in_force, in_force_at, proposed, proposed_at from own_bank_accounts
    where tenant_id = ${tenantId}`.execute(db);
  const unset = { in_force: null, in_force_at: null, proposed: null, proposed_at: null };
  return wholeList(
    ownBankRoles.map((role) =>
      shownOwnBank(rows.find((row) => row.role === role) ?? { role, ...unset }),
    ),
  );
}
