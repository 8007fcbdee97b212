import {
  type OwnBankAccount,
  OwnBankFacts,
  ownBankRoles,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

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
