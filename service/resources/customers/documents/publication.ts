import { isSampleText, lackingParts } from '@tenant-payments/contract/core/disclosures.ts';
import type { LegalText } from '@tenant-payments/contract/resources/documents.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../database.ts';
import { accounts } from '../../accounts/table.ts';
import { rowNow } from '../../row_now.ts';
import { effectiveFrom } from '../../terms/effective.ts';
import { type CustomerRow, customers } from '../table.ts';
import { isConsumer, publishToCustomer, versionsOf } from './moves.ts';
import { countAccepted, lowestId } from './progress.ts';
import {
  type DocumentPublicationRow,
  type DocumentVersionRow,
  documentPublications,
  documents,
  documentVersions,
  legalTexts,
} from './table.ts';

/** Customers asked in one command; the job runs again at once for the rest. */
const customersAtOnce = 100;

interface Dependencies {
  readonly db: Kysely<Database>;
}

/** A version with its texts, which must be later than every version before (rules/documents#15). */
export interface NewVersion
  extends Pick<LegalText, 'document_type' | 'version' | 'title' | 'text'> {
  /** The reason of security for which it holds at once; null: it holds 21 days after its notice. */
  readonly security_reason?: string | null;
}

type Latest = Pick<DocumentVersionRow, 'latest'>;

/** {reason: already_published or not_newer, latest} */
function notNewer({ version }: NewVersion, { latest }: Latest): ApiError | null {
  if (version > latest) return null;
  const reason = version === latest ? 'already_published' : 'not_newer';
  return fail('parameter_invalid', {
    param: 'version',
    details: { reason, latest },
    message: `version ${version} is not later than ${latest}, the latest that was published`,
  });
}

/** A sample, or terms without all that they must say (rules/documents#25). */
function unreadyText({ document_type, text }: NewVersion): ApiError | null {
  const lacks = document_type === 'digital_account_terms' ? lackingParts(text) : [];
  if (isSampleText(text))
    return fail('parameter_invalid', {
      param: 'text',
      details: { reason: 'sample_text' },
      message:
        'text says that it is a sample; production takes the texts of its bank and its lawyers',
    });
  if (lacks.length === 0) return null;
  return fail('parameter_invalid', {
    param: 'text',
    details: { reason: 'parts_missing', parts: lacks },
    message: `text does not say, in both languages, what 12 CFR 1005.7(b) asks: ${lacks.join(', ')}`,
  });
}

/** parameter_invalid, param version; param text {reason: sample_text, parts_missing}; null: it can be published */
export const publicationRefusal = (
  given: NewVersion,
  versions: Latest,
  environment: Environment,
): ApiError | null =>
  (environment === 'production' ? unreadyText(given) : null) ?? notNewer(given, versions);

/** The job that asks customers to accept a version: 1.0, which tells nobody of it, asks those of its own alone. */
const spreadingJob = ({ effective_at }: Pick<DocumentPublicationRow, 'effective_at'>) =>
  effective_at === null ? 'document_publication' : 'publication_spread';

/**
 * The reviewer publishes a new version of a document. New customers accept it in onboarding;
 * `documentPublicationJob` asks those who accepted an earlier one (rules/documents#11).
 * @param environment production refuses a text that is not ready
 * @returns {object, document_type, version, customers, effective_at}: how many customers are asked, and from when on it
 *   holds for them
 * @throws ApiError as `publicationRefusal`
 */
export const publishForAll = ({ db }: Dependencies, environment: Environment = 'sandbox') =>
  command('publish_for_all', {
    prepare: ({ document_type }: NewVersion, { tenantId }) =>
      countAccepted(db, tenantId, document_type),
    load: (read, { document_type }) => read.maybe(documentVersions, document_type),
    decide: (work, found, given, count) => {
      const { document_type, version, title, text, security_reason = null } = given;
      const effective_at = security_reason === null ? effectiveFrom(work.now) : work.now;
      const versions = versionsOf(work, document_type, found);
      const refusal = publicationRefusal(given, versions, environment);
      if (refusal) throw refusal;
      work.change(versions, { in_force: version, latest: version });
      work.create(legalTexts, {
        document_type,
        document_version: version,
        title_en: title.en,
        title_es: title.es,
        text_en: text.en,
        text_es: text.es,
        published_at: work.now,
      });
      const publication = work.create(documentPublications, {
        id: work.newId(),
        document_type,
        document_version: version,
        spread_to: null,
        created_at: work.now,
        spread_at: null,
        effective_at,
        security_reason,
      });
      work.scheduleJob(spreadingJob(publication), publication.id, work.now);
      const published = { object: 'document_publication', document_type, version };
      return { value: { ...published, customers: count, effective_at } };
    },
  });

interface Accepted {
  readonly id: string;
  readonly customer_id: string;
}

/** The next customers who accepted the document, in the order of their acceptances. */
async function readNextAccepted(
  db: Kysely<Database>,
  tenantId: string,
  ref: string,
  limit: number,
) {
  const { rows } = await sql<Accepted & { readonly from: string | null }>`
    select d.id, d.customer_id, p.spread_to as from
      from document_publications p
      join documents d on d.tenant_id = p.tenant_id and d.document_type = p.document_type
        and d.status = 'accepted' and d.id > coalesce(p.spread_to, ${lowestId}::uuid)
    where p.tenant_id = ${tenantId} and d.tenant_id = ${tenantId} and p.id = ${ref}
    order by d.id limit ${limit}`.execute(db);
  return rows;
}

async function loadHolder(read: Read, { customer_id }: Accepted) {
  const [customer, all] = await Promise.all([
    read.one(customers, customer_id),
    read.set(documents, 'customer_id', customer_id),
  ]);
  return { customer, all, account: await read.maybe(accounts, customer.account_id) };
}
type DocumentHolder = Awaited<ReturnType<typeof loadHolder>>;

/** Asks a customer, unless the customer has this version already, or a later one. */
function askCustomer(
  work: Work,
  { customer, all, account }: DocumentHolder,
  { document_type: type, document_version: version, security_reason }: DocumentPublicationRow,
): void {
  const ofType = all.filter((row) => row.document_type === type);
  const isBehind = ofType.every((row) => row.document_version < version);
  if (isBehind && ofType.some((row) => row.status === 'accepted'))
    publishToCustomer(work, customer, all, {
      type,
      version,
      isAtOnce: security_reason !== null,
      isTold: isConsumer(rowNow(customer.account_id, account)),
    });
}

/**
 * The jobs `publication_spread` and, of a version that 1.0 has published, `document_publication`: ask the customers who
 * accepted an earlier version to accept this one, a hundred in a command. It can run again without asking twice, and stops when a later
 * version of the same document was published (rules/documents#12).
 */
export const documentPublicationJob = ({ db }: Dependencies, atOnce = customersAtOnce) =>
  command('document_publication', {
    prepare: ({ ref }: { ref: string }, { tenantId }) =>
      readNextAccepted(db, tenantId, ref, atOnce),
    load: async (read, { ref }, next) => {
      const publication = await read.one(documentPublications, ref);
      const [versions, holders] = await Promise.all([
        read.one(documentVersions, publication.document_type),
        Promise.all(next.map((accepted) => loadHolder(read, accepted))),
      ]);
      return { publication, versions, holders };
    },
    decide: (work, { publication, versions, holders }, { ref }, next) => {
      const isReplaced = versions.in_force !== publication.document_version;
      const last = next.at(-1);
      if (isReplaced || !last) {
        work.change(publication, { spread_at: work.now, ...holdsLater(work, publication) });
        work.cancelJob(spreadingJob(publication), ref);
        return { value: null };
      }
      // `next` was read before the batch: another run may have asked them already.
      if (last.from !== publication.spread_to) return runAgain(work, publication);
      for (const holder of distinct(holders)) askCustomer(work, holder, publication);
      work.change(publication, { spread_to: last.id });
      return runAgain(work, publication);
    },
  });

/** A version that waits holds 21 days after the last notice (rules/documents#32). */
const holdsLater = (work: Work, { security_reason, effective_at }: DocumentPublicationRow) =>
  security_reason === null && effective_at !== null
    ? { effective_at: effectiveFrom(work.now) }
    : {};

function runAgain(work: Work, publication: DocumentPublicationRow) {
  work.scheduleJob(spreadingJob(publication), publication.id, work.now);
  return { value: null };
}

/** One entry for each customer. */
const distinct = (holders: readonly DocumentHolder[]): Iterable<DocumentHolder> =>
  new Map<CustomerRow, DocumentHolder>(holders.map((holder) => [holder.customer, holder])).values();
