import { command } from '@tenant-payments/engine/command.ts';
import type { JobName } from '@tenant-payments/engine/job_names.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { readColumns } from '@tenant-payments/engine/table.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import { callFor, type RailsCall } from '../rails/call.ts';
import type { Rails } from '../rails/rails.ts';
import { awaitsDecision } from '../resources/customers/identity.ts';
import { fullName } from '../resources/customers/names.ts';
import { type OwnerRow, owners } from '../resources/customers/owners/table.ts';
import { type CustomerRow, customers } from '../resources/customers/table.ts';
import { openReference } from '../resources/linked_accounts/numbers.ts';
import { type LinkedAccountRow, linkedAccounts } from '../resources/linked_accounts/table.ts';

export interface CheckContext extends Pick<Rails, 'aggregator'> {
  readonly identity: Pick<Rails['identity'], 'check'>;
  readonly db: Kysely<Database>;
  readonly vault: Vault;
}

/** A check that an outside service makes of a record. */
interface Check<Row> {
  readonly name: JobName;
  readonly row: (read: Read, ref: string) => Promise<Row>;
  /** The record waits for the answer. */
  readonly waits: (row: Row) => boolean;
  /** Requests the check if the record waits. @returns the record's version; null: not requested */
  readonly request: (tenantId: string, ref: string, call: RailsCall) => Promise<number | null>;
}

/**
 * Requests a check after the commit that made the record wait (rules/sandbox#2). When the process
 * ends before the request is recorded, it is repeated; the outside treats it as the same check.
 */
const checkJob = <Row extends { readonly version: number }>(check: Check<Row>) =>
  command(check.name, {
    prepare: ({ ref }: { ref: string }, { tenantId, actor }) =>
      check.request(tenantId, ref, callFor(actor)),
    load: (read, { ref }) => check.row(read, ref),
    decide: (work, row, { ref }, requestedVersion) => {
      // The record may have begun to wait anew while the request was under way.
      if (requestedVersion === row.version || !check.waits(row)) work.cancelJob(check.name, ref);
      else work.scheduleJob(check.name, ref, work.now);
      return { value: null };
    },
  });

/** Job `customer_check`: requests the identity provider's decision on an individual or a business. */
export const customerCheckJob = ({ db, identity }: CheckContext) =>
  checkJob<CustomerRow>({
    name: 'customer_check',
    row: (read, ref) => read.one(customers, ref),
    waits: awaitsDecision,
    async request(tenantId, id, call) {
      const found = await db
        .selectFrom('customers')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .select(readColumns(customers))
        .executeTakeFirst();
      if (!found || !awaitsDecision(found)) return null;
      const { verification_updated_at: since, identity_reference: reference } = found;
      const asked = { tenantId, subject: 'customer', subjectId: id, since, reference } as const;
      await identity.check(asked, call);
      return found.version;
    },
  });

const isPending = ({ status }: Pick<OwnerRow | LinkedAccountRow, 'status'>): boolean =>
  status === 'pending';

/** Job `owner_check`: requests the identity provider's decision on an owner of a business. */
export const ownerCheckJob = ({ db, identity }: CheckContext) =>
  checkJob<OwnerRow>({
    name: 'owner_check',
    row: (read, ref) => read.one(owners, ref),
    waits: isPending,
    async request(tenantId, id, call) {
      const found = await db
        .selectFrom('owners')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .select(readColumns(owners))
        .executeTakeFirst();
      if (!found || !isPending(found)) return null;
      // Every change of an owner is a move, so the last one is when it began to wait.
      const since = found.updated_at;
      const reference = found.identity_reference;
      await identity.check({ tenantId, subject: 'owner', subjectId: id, since, reference }, call);
      return found.version;
    },
  });

/** Job `link_check`: requests the aggregator's check of a bank account. */
export const linkCheckJob = ({ db, vault, aggregator }: CheckContext) =>
  checkJob<LinkedAccountRow>({
    name: 'link_check',
    row: (read, ref) => read.one(linkedAccounts, ref),
    waits: isPending,
    async request(tenantId, id, call) {
      const found = await db
        .selectFrom('linked_accounts as l')
        .innerJoin('customers as c', (join) =>
          join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.customer_id'),
        )
        .where('l.tenant_id', '=', tenantId)
        .where('l.id', '=', id)
        .select(['l.status', 'l.version', 'l.customer_id', 'l.reference_sealed'])
        .select(['c.type', 'c.given_name', 'c.family_name', 'c.legal_name', 'c.trading_name'])
        .executeTakeFirst();
      if (!found || !isPending(found)) return null;
      const reference = openReference(vault, tenantId, found);
      const legalName = fullName(found);
      const asked = { tenantId, linkId: id, reference, legalName, kind: found.type };
      await aggregator.verify(asked, call);
      return found.version;
    },
  });
