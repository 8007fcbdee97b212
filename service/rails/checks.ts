import type { Kysely } from 'kysely';
import { command } from '../core/command.ts';
import { assert } from '../core/fail.ts';
import type { Read } from '../core/reader.ts';
import type { Vault } from '../core/vault.ts';
import { awaitsDecision } from '../resources/customers/identity.ts';
import { type OwnerRow, owners } from '../resources/customers/owners_table.ts';
import { type CustomerRow, customers } from '../resources/customers/table.ts';
import type { Database } from '../resources/database.ts';
import { type LinkedAccountRow, linkedAccounts } from '../resources/linked_accounts/table.ts';
import { referenceSeal } from './instructions.ts';
import type { Rails } from './rails.ts';

/** What the outside is asked about, and by whom it is asked. */
export interface Asking extends Pick<Rails, 'aggregator'> {
  readonly identity: Pick<Rails['identity'], 'check'>;
  readonly db: Kysely<Database>;
  readonly vault: Vault;
}

interface Question<Row> {
  readonly name: string;
  readonly row: (read: Read, ref: string) => Promise<Row>;
  /** The outside's answer is waited for. */
  readonly waits: (row: Row) => boolean;
  /** Asks, if the record waits. @returns the version that was asked about; null: it was not */
  readonly ask: (tenantId: string, ref: string) => Promise<number | null>;
}

/**
 * Asks the outside about a record, after the commit of what made it wait: nothing outside ever
 * happens inside a command (architecture 3). When the record of having asked is lost it asks again,
 * which the outside takes for the same question.
 */
const questionJob = <Row extends { readonly version: number }>(question: Question<Row>) =>
  command(question.name, {
    prepare: ({ ref }: { ref: string }, { tenantId }) => question.ask(tenantId, ref),
    load: (read, { ref }) => question.row(read, ref),
    decide: (work, row, { ref }, asked) => {
      // It may have come to wait anew while the question was under way.
      if (asked === row.version || !question.waits(row)) work.cancelJob(question.name, ref);
      else work.scheduleJob(question.name, ref, work.now);
      return { value: null };
    },
  });

/** Job `customer_check`: the identity provider is asked about an individual or a business. */
export const customerCheckJob = ({ db, identity }: Asking) =>
  questionJob<CustomerRow>({
    name: 'customer_check',
    row: (read, ref) => read.one(customers, ref),
    waits: awaitsDecision,
    async ask(tenantId, id) {
      const found = await db
        .selectFrom('customers')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .selectAll()
        .executeTakeFirst();
      if (!found || !awaitsDecision(found)) return null;
      await identity.check({
        tenantId,
        subject: 'customer',
        subjectId: id,
        since: found.verification_updated_at,
        reference: found.identity_reference,
      });
      return found.version;
    },
  });

const isPending = ({ status }: Pick<OwnerRow | LinkedAccountRow, 'status'>): boolean =>
  status === 'pending';

/** Job `owner_check`: the identity provider is asked about an owner of a business. */
export const ownerCheckJob = ({ db, identity }: Asking) =>
  questionJob<OwnerRow>({
    name: 'owner_check',
    row: (read, ref) => read.one(owners, ref),
    waits: isPending,
    async ask(tenantId, id) {
      const found = await db
        .selectFrom('owners')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .selectAll()
        .executeTakeFirst();
      if (!found || !isPending(found)) return null;
      // Whatever else changes of an owner is a move: the row has not changed since it came to wait.
      const since = found.updated_at;
      const reference = found.identity_reference;
      await identity.check({ tenantId, subject: 'owner', subjectId: id, since, reference });
      return found.version;
    },
  });

/** Job `link_check`: the aggregator is asked to check a bank account. */
export const linkCheckJob = ({ db, vault, aggregator }: Asking) =>
  questionJob<LinkedAccountRow>({
    name: 'link_check',
    row: (read, ref) => read.one(linkedAccounts, ref),
    waits: isPending,
    async ask(tenantId, id) {
      const found = await db
        .selectFrom('linked_accounts')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .selectAll()
        .executeTakeFirst();
      if (!found || !isPending(found)) return null;
      const { customer_id, reference_sealed } = found;
      assert(reference_sealed !== null, 'a link in use has its reference');
      const reference = String(vault.open(tenantId, referenceSeal(customer_id), reference_sealed));
      await aggregator.verify({ tenantId, linkId: id, reference });
      return found.version;
    },
  });
