import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { entityFor } from '../../core/entity.ts';
import type { Read } from '../../core/load/reader.ts';
import { settingsOf } from '../../core/settings.ts';
import { tenants } from '../../core/tenant.ts';
import { accounts } from '../../resources/accounts/table.ts';
import { documentVersions } from '../../resources/customers/documents/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { disputes } from '../../resources/disputes/table.ts';
import { linkedAccounts } from '../../resources/linked_accounts/table.ts';
import { suspense } from '../../resources/suspense/table.ts';
import type { ReviewInput } from '../review/moves.ts';

/** What a move is about, as far as it says whether and how a second person decides. */
export interface Subject {
  readonly status: string | null;
  /** Cents that a decision refuses its customer; null: nobody knows. */
  readonly refused: number | null;
  /** Cents that count towards the cap; null: nothing moves by it. */
  readonly amount: number | null;
  /** A setting changes, which two people may always do. */
  readonly isBeyond: boolean;
  /** What must not change between request and approval (rules/approvals#7). */
  readonly facts: Readonly<Record<string, unknown>>;
}

type Load = (read: Read, input: ReviewInput) => Promise<Subject>;

const plain = {
  status: null,
  refused: 0,
  amount: null,
  isBeyond: false,
  facts: {},
} satisfies Subject;

/** A record with a version, which rises with every change that is shown. */
const versioned = ({ status, version }: { readonly status: string; readonly version: number }) => ({
  ...plain,
  status,
  facts: { status, version },
});

const loads: Readonly<Record<string, Load>> = {
  customers: async (read, { id }) => versioned(await read.one(customers, id)),
  'linked-accounts': async (read, { id }) => versioned(await read.one(linkedAccounts, id)),
  accounts: async (read, { id, amount }) => ({
    ...versioned(await read.one(accounts, id)),
    amount: amount && Math.abs(amount),
  }),
  disputes: async (read, { id, amount }) => {
    const row = await read.one(disputes, id);
    const { disputed_cents: disputed, liability } = row;
    const shown = versioned(row);
    return {
      ...shown,
      refused: disputed === null ? null : disputed - (amount ?? 0),
      facts: { ...shown.facts, disputed, liability },
    };
  },
  suspense: async (read, { id }) => {
    const { status, amount } = await read.one(suspense, id);
    return { ...plain, status, amount, facts: { status, amount } };
  },
  documents: async (read, { id }) => {
    const row = await read.maybe(documentVersions, id);
    return { ...plain, facts: { in_force: row?.in_force ?? null, latest: row?.latest ?? null } };
  },
  reserve: async (_read, { amount }) => ({ ...plain, amount }),
  settings: async (read, { settings: changes }) => {
    const tenant = await read.one(tenants, {});
    const settings = settingsOf(entityFor(tenant).tenantId, tenant);
    const keys = Object.keys(changes ?? {}) as (keyof Settings)[];
    return {
      ...plain,
      // Whether one person would do is PUT's to say; two may always.
      isBeyond: true,
      // A key is replaced as a whole, so nothing of it may have changed.
      facts: Object.fromEntries(keys.map((key) => [key, settings[key] ?? null])),
    };
  },
};

/** @throws ApiError not_found */
export const loadSubject: (read: Read, resource: string, input: ReviewInput) => Promise<Subject> =
  async (read, resource, input) => (await loads[resource]?.(read, input)) ?? plain;
