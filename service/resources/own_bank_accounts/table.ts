import {
  type OwnBankAccount,
  OwnBankFacts,
  ownBankRoles,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';

/** A Tenant's own accounts at its bank (rules/own-bank-accounts#1). A proposed one is named by no order. */
export const ownBankAccounts = table({
  name: 'own_bank_accounts',
  key: ['role'],
  columns: {
    role: words(ownBankRoles),
    in_force: orNull(column.json),
    number_sealed: orNull(column.text),
    in_force_at: orNull(column.instant),
    proposed: orNull(column.json),
    proposed_number_sealed: orNull(column.text),
    proposed_at: orNull(column.instant),
  },
  audited: ({ role, in_force, proposed }) => ({ role, in_force, proposed }),
});
export type OwnBankRow = RowOf<typeof ownBankAccounts>;

/** The purpose that an account number is sealed for: it is bound to its Tenant and role. */
export const ownBankSeal = (role: string): string => `own bank account ${role}`;

export const inForceColumn = jsonColumn('own_bank_accounts.in_force', 'jsonb', OwnBankFacts);
export const proposedColumn = jsonColumn('own_bank_accounts.proposed', 'jsonb', OwnBankFacts);

type Columns = Omit<OwnBankRow, 'number_sealed' | 'proposed_number_sealed'>;

/** An account as people see it: without its number. */
export const shownOwnBank = (row: Columns): OwnBankAccount => ({
  object: 'own_bank_account',
  id: row.role,
  in_force: row.in_force === null ? null : inForceColumn.read(null, row.in_force),
  in_force_at: row.in_force_at,
  proposed: row.proposed === null ? null : proposedColumn.read(null, row.proposed),
  proposed_at: row.proposed_at,
});

export type InForceRow = Pick<OwnBankRow, 'role' | 'in_force' | 'number_sealed'>;

/** An account in force with its number, which an order alone has. */
export function openOwnBank(
  vault: Pick<Vault, 'open'>,
  tenantId: string,
  { role, in_force, number_sealed }: InForceRow,
): OwnBankFacts & { readonly account_number: string } {
  assert(number_sealed !== null, 'an account in force has its number');
  return {
    ...inForceColumn.read(tenantId, in_force),
    account_number: String(vault.open(tenantId, ownBankSeal(role), number_sealed)),
  };
}
