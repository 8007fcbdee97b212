import type { DocumentType } from '@tenant-payments/contract/resources/documents.ts';
import { type Kysely, sql } from 'kysely';
import { command } from '../../../core/command.ts';
import type { Read } from '../../../core/reader.ts';
import type { Work } from '../../../core/work.ts';
import type { Database } from '../../database.ts';
import { type CustomerRow, customers } from '../table.ts';
import { publishTo, versionAfter, versionsOf } from './moves.ts';
import {
  type DocumentPublicationRow,
  documentPublications,
  documents,
  documentVersions,
} from './table.ts';

/** So many customers are asked in one command; what is left is due again at once. */
const askedAtOnce = 100;
/** Before every id of version 7. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

interface Asked {
  readonly db: Kysely<Database>;
}

/** How many accepted a document; shown to the reviewer, and nothing rests on it. */
async function countAccepted(
  db: Kysely<Database>,
  tenantId: string,
  type: DocumentType,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from documents where tenant_id = ${tenantId}
      and document_type = ${type} and status = 'accepted'`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The reviewer publishes a new version of a document (decisions 1.4, `publish`). Who comes from now
 * on accepts it in onboarding; who accepted an earlier one is asked by the jobs of
 * `documentPublicationDuty`.
 * @returns {object, document_type, customers}: how many are asked
 */
export const publishForAll = ({ db }: Asked) =>
  command('publish_for_all', {
    prepare: ({ document_type }: { document_type: DocumentType }, { tenantId }) =>
      countAccepted(db, tenantId, document_type),
    load: (read, { document_type }) => read.maybe(documentVersions, document_type),
    decide: (work, found, { document_type }, count) => {
      const versions = versionsOf(work, document_type, found);
      const version = versionAfter(versions.latest);
      work.change(versions, { in_force: version, latest: version });
      const { id } = work.create(documentPublications, {
        id: work.newId(),
        document_type,
        document_version: version,
        spread_to: null,
        created_at: work.now,
        spread_at: null,
      });
      work.scheduleJob('document_publication', id, work.now);
      return { value: { object: 'document_publication', document_type, customers: count } };
    },
  });

interface Accepted {
  readonly id: string;
  readonly customer_id: string;
}

/** The next of those who accepted the document, in the order of their acceptances. */
async function nextOf(db: Kysely<Database>, tenantId: string, ref: string, limit: number) {
  const { rows } = await sql<Accepted & { readonly from: string | null }>`
    select d.id, d.customer_id, p.spread_to as from from document_publications p
      join documents d on d.tenant_id = p.tenant_id and d.document_type = p.document_type
        and d.status = 'accepted' and d.id > coalesce(p.spread_to, ${beforeAll}::uuid)
    where p.tenant_id = ${tenantId} and d.tenant_id = ${tenantId} and p.id = ${ref}
    order by d.id limit ${limit}`.execute(db);
  return rows;
}

async function readHolder(read: Read, { customer_id }: Accepted) {
  const [customer, all] = await Promise.all([
    read.one(customers, customer_id),
    read.set(documents, 'customer_id', customer_id),
  ]);
  return { customer, all };
}
type DocumentHolder = Awaited<ReturnType<typeof readHolder>>;

/** Asks a customer, unless it has this version already, or a later one. */
function ask(
  work: Work,
  { customer, all }: DocumentHolder,
  { document_type: type, document_version: version }: DocumentPublicationRow,
): void {
  const ofType = all.filter((row) => row.document_type === type);
  const isBehind = ofType.every((row) => row.document_version < version);
  if (isBehind && ofType.some((row) => row.status === 'accepted'))
    publishTo(work, customer, all, { type, version });
}

/**
 * Job `document_publication`: the customers who accepted an earlier version are asked to accept
 * this one, a hundred in a command. Whoever accepts an older version meanwhile is met by its later
 * row; whoever comes meanwhile accepts the new one. A publication that a later one has overtaken
 * asks nobody any more.
 */
export const documentPublicationJob = ({ db }: Asked, atOnce = askedAtOnce) =>
  command('document_publication', {
    prepare: ({ ref }: { ref: string }, { tenantId }) => nextOf(db, tenantId, ref, atOnce),
    load: async (read, { ref }, next) => {
      const publication = await read.one(documentPublications, ref);
      const [versions, holders] = await Promise.all([
        read.one(documentVersions, publication.document_type),
        Promise.all(next.map((accepted) => readHolder(read, accepted))),
      ]);
      return { publication, versions, holders };
    },
    decide: (work, { publication, versions, holders }, { ref }, next) => {
      const isOvertaken = versions.in_force !== publication.document_version;
      const last = next.at(-1);
      if (isOvertaken || !last) {
        work.change(publication, { spread_at: work.now });
        work.cancelJob('document_publication', ref);
        return { value: null };
      }
      // Read before the batch: another run may have come further meanwhile.
      if (last.from !== publication.spread_to) return again(work, ref);
      for (const holder of distinct(holders)) ask(work, holder, publication);
      work.change(publication, { spread_to: last.id });
      return again(work, ref);
    },
  });

function again(work: Work, ref: string) {
  work.scheduleJob('document_publication', ref, work.now);
  return { value: null };
}

/** One of each customer. */
const distinct = (holders: readonly DocumentHolder[]): Iterable<DocumentHolder> =>
  new Map<CustomerRow, DocumentHolder>(holders.map((holder) => [holder.customer, holder])).values();
