import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { entityFor } from '@tenant-payments/engine/entity.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import { accounts } from '@tenant-payments/service/resources/accounts/table.ts';
import { documentVersions } from '@tenant-payments/service/resources/customers/documents/table.ts';
import { customers } from '@tenant-payments/service/resources/customers/table.ts';
import { disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import { linkedAccounts } from '@tenant-payments/service/resources/linked_accounts/table.ts';
import { ownBankAccounts } from '@tenant-payments/service/resources/own_bank_accounts/table.ts';
import { returnRequests } from '@tenant-payments/service/resources/return_requests/table.ts';
import { suspense } from '@tenant-payments/service/resources/suspense/table.ts';
import type { ReviewInput } from '../review/move.ts';

/** The record that a move is about, as its maker saw it. */
export interface Subject {
  /** The values that must not change between request and approval (rules/approvals#7), as they are in `decide`. */
  facts(): Facts;
}
export type Facts = Readonly<Record<string, unknown>>;

type Named = Pick<ReviewInput, 'id' | 'settings'>;
type Load = (read: Read, input: Named) => Promise<Subject>;

/** Columns of a row; null: there is none yet. */
const factsOf = <Row extends object>(row: Row | null, ...names: (keyof Row)[]): Subject => ({
  facts: () => Object.fromEntries(names.map((name) => [name, row?.[name] ?? null])),
});

/** A record with a version, which rises with every change that is shown. */
const versioned = (row: { readonly status: string; readonly version: number }) =>
  factsOf(row, 'status', 'version');

const loads = {
  customers: async (read, { id }) => versioned(await read.one(customers, id)),
  'linked-accounts': async (read, { id }) => versioned(await read.one(linkedAccounts, id)),
  accounts: async (read, { id }) => versioned(await read.one(accounts, id)),
  disputes: async (read, { id }) => {
    const row = await read.one(disputes, id);
    return {
      facts: () => {
        const { status, version, disputed_cents: disputed, liability } = row;
        return { status, version, disputed, liability };
      },
    };
  },
  suspense: async (read, { id }) => factsOf(await read.one(suspense, id), 'status', 'amount'),
  'return-requests': async (read, { id }) =>
    factsOf(await read.one(returnRequests, id), 'status', 'amount'),
  documents: async (read, { id }) =>
    factsOf(await read.maybe(documentVersions, id), 'in_force', 'latest'),
  'own-bank-accounts': async (read, { id }) =>
    factsOf(await read.maybe(ownBankAccounts, id), 'in_force', 'proposed_at'),
  settings: async (read, { settings: changes }) => {
    const tenant = await read.one(tenants, {});
    const keys = Object.keys(changes ?? {}) as (keyof Settings)[];
    return {
      // A key is replaced as a whole, so nothing of it may have changed.
      facts: () => factsOf(settingsOf(entityFor(tenant).tenantId, tenant), ...keys).facts(),
    };
  },
} as const satisfies Record<string, Load>;

/** @throws ApiError not_found */
export const loadSubject: (read: Read, resource: string, input: Named) => Promise<Subject> = async (
  read,
  resource,
  input,
) => (await ownValue(loads, resource)?.(read, input)) ?? { facts: () => ({}) };
