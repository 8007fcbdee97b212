import {
  type DocumentType,
  type DocumentVersion,
  documentTypes,
  requiredDocuments,
} from '@tenant-payments/contract/resources/documents.ts';
import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { MessageLocale } from '../../../rails/messages.ts';
import { type AccountRow, accounts } from '../../accounts/table.ts';
import { rowNow } from '../../row_now.ts';
import { effectiveFrom } from '../../terms/effective.ts';
import { tellDocument } from '../../terms/tell.ts';
import { type CustomerRow, customers } from '../table.ts';
import { assertRead, dueInOnboarding, dueInTerms } from './due.ts';
import { firstVersion } from './samples/samples.ts';
import {
  type DocumentRow,
  type DocumentVersionRow,
  documents,
  documentVersions,
  type LegalTextRow,
  legalTexts,
} from './table.ts';
import { termsDueAt } from './terms.ts';

/** The month after a version. */
export function versionAfter(version: string): string {
  const [year = 0, month = 0] = version.split('-').map(Number);
  return month < 12 ? `${year}-${String(month + 1).padStart(2, '0')}` : `${year + 1}-01`;
}

/** The versions row of a document type; the first command that needs it creates it. */
export const versionsOf = (
  work: Work,
  type: DocumentType,
  found: DocumentVersionRow | null,
): DocumentVersionRow =>
  found ??
  work.create(documentVersions, {
    document_type: type,
    in_force: firstVersion,
    latest: firstVersion,
  });

/** The versions row of every document type; null where none exists yet. */
export async function loadVersions(
  read: Read,
): Promise<ReadonlyMap<DocumentType, DocumentVersionRow | null>> {
  const rows = await Promise.all(documentTypes.map((type) => read.maybe(documentVersions, type)));
  return new Map(documentTypes.map((type, index) => [type, rows[index] ?? null]));
}

/** A customer's documents for a command: their rows, and the versions in force. */
interface Offered {
  readonly held: readonly DocumentRow[];
  readonly versions: ReadonlyMap<DocumentType, DocumentVersionRow | null>;
}

/** The page on which documents are accepted. */
export interface ReadingPage {
  /** When the sample statement was opened; null: it was not. */
  readonly sampleOpenedAt: Instant | null;
  /** Its language; null: it does not say. */
  readonly locale: MessageLocale | null;
}

/** Asserts that the customer has read what onboarding would accept. @throws ApiError as `assertRead` */
export function assertReadInOnboarding(
  customer: CustomerRow,
  { held, versions }: Offered,
  read: readonly DocumentVersion[] | null,
): void {
  const inForce = (type: DocumentType) => versions.get(type)?.in_force;
  assertRead(customer, dueInOnboarding(customer, held, inForce), read);
}

/**
 * Accepts each document of the customer's type that has no row yet, and each version that waits
 * (rules/documents#2).
 * @param page how it was read; a simulated customer or a business has opened no sample statement
 */
export function acceptInOnboarding(
  work: Work,
  customer: CustomerRow,
  { held, versions }: Offered,
  { sampleOpenedAt, locale }: ReadingPage,
): void {
  acceptWaiting(work, customer, held, { channel: 'onboarding', locale });
  const known = new Set<DocumentType>(held.map((row) => row.document_type));
  for (const type of requiredDocuments[customer.type]) {
    if (known.has(type)) continue;
    work.create(
      documents,
      {
        id: work.newId(),
        customer_id: customer.id,
        document_type: type,
        document_version: versionsOf(work, type, versions.get(type) ?? null).in_force,
        accepted_at: work.now,
        channel: 'onboarding',
        shown_at: type === 'esign_consent' ? sampleOpenedAt : null,
        effective_at: null,
        accepted_in: locale,
        created_at: work.now,
      },
      'accept',
    );
  }
}

interface ReadTerms extends Pick<ReadingPage, 'locale'> {
  /** The documents that the page showed; null: a simulated customer, who reads whatever is due. */
  readonly read: readonly DocumentVersion[] | null;
}

/**
 * Accepts every pending document in terms_acceptance (rules/documents#5).
 * @throws ApiError invalid_state {reason: documents_changed}
 */
export function acceptPending(
  work: Work,
  customer: CustomerRow,
  held: readonly DocumentRow[],
  { read, locale }: ReadTerms,
): void {
  assertRead(customer, dueInTerms(held), read);
  acceptWaiting(work, customer, held, { channel: 'terms_acceptance', locale });
}

/** The versions accepted before are superseded. */
function acceptWaiting(
  work: Work,
  customer: CustomerRow,
  held: readonly DocumentRow[],
  { channel, locale }: { readonly channel: Flow } & Pick<ReadingPage, 'locale'>,
): void {
  for (const pending of held.filter((row) => row.status === 'pending_acceptance')) {
    const before = held.filter(
      (row) => row.status === 'accepted' && row.document_type === pending.document_type,
    );
    const set = { accepted_at: work.now, channel, accepted_in: locale };
    work.move(pending, 'accept_version', { set });
    for (const row of before) work.move(row, 'supersede');
  }
  work.change(customer, { terms_due_at: null });
}

/** A consumer with an account that is not closed: changed terms are told by a notice [12 CFR 1005.8(a)(1)]. */
export const isConsumer = (account: Pick<AccountRow, 'type' | 'status'> | null): boolean =>
  account?.type === 'consumer' && account.status !== 'closed';

interface Published {
  readonly type: DocumentType;
  readonly version: string;
  /** A reason of security lets it hold at once (rules/documents#32). */
  readonly isAtOnce: boolean;
  /** A notice tells of it (`isConsumer`). */
  readonly isTold: boolean;
}

/**
 * Asks a customer to accept a version; an earlier pending one is superseded. The customer's row
 * changes too, so that of two publications at a time one is decided again.
 * @param all every document of the customer
 */
export function publishToCustomer(
  work: Work,
  customer: CustomerRow,
  all: readonly DocumentRow[],
  { type, version, isAtOnce, isTold }: Published,
): DocumentRow {
  const pending = all.filter(
    (row) => row.status === 'pending_acceptance' && row.document_type === type,
  );
  const record = work.create(
    documents,
    {
      id: work.newId(),
      customer_id: customer.id,
      document_type: type,
      document_version: version,
      accepted_at: null,
      channel: null,
      shown_at: null,
      effective_at: isAtOnce ? work.now : effectiveFrom(work.now),
      accepted_in: null,
      created_at: work.now,
    },
    'publish',
  );
  if (isTold) tellDocument(work, record);
  for (const row of pending) work.move(row, 'supersede');
  work.change(customer, { terms_due_at: termsDueAt([...all, record]) });
  return record;
}

/** A simulated version says what the one before it says, and which it is. */
function publishSame(work: Work, words: LegalTextRow, version: string): void {
  work.create(legalTexts, {
    document_type: words.document_type,
    document_version: version,
    title_en: words.title_en,
    title_es: words.title_es,
    text_en: `*Simulated version ${version}.*\n\n${words.text_en}`,
    text_es: `*Versión simulada ${version}.*\n\n${words.text_es}`,
    published_at: work.now,
  });
}

/**
 * Publishes a new version to one customer who accepted the one before (rules/documents#13). A
 * pending version is superseded by it.
 * @throws ApiError invalid_state when `id` is not the accepted row of its type
 */
export const publishDocument = command('publish_document', {
  load: async (read, { id }: { id: string }) => {
    const accepted = await read.one(documents, id);
    const { customer_id, document_type, document_version } = accepted;
    const customer = await read.one(customers, customer_id);
    const [account, all, found, words] = await Promise.all([
      read.maybe(accounts, customer.account_id),
      read.set(documents, 'customer_id', customer_id),
      read.maybe(documentVersions, document_type),
      read.one(legalTexts, { document_type, document_version }),
    ]);
    return { accepted, customer, account, all, found, words };
  },
  decide: (work, { accepted, customer, account, all, found, words }) => {
    if (accepted.status !== 'accepted')
      throw fail('invalid_state', {
        details: { current_status: accepted.status, allowed: ['accepted'] },
      });
    const type = accepted.document_type;
    const versions = versionsOf(work, type, found);
    const version = versionAfter(versions.latest);
    work.change(versions, { latest: version });
    publishSame(work, words, version);
    const isTold = isConsumer(rowNow(customer.account_id, account));
    const published = { type, version, isAtOnce: false, isTold };
    return { record: publishToCustomer(work, customer, all, published) };
  },
});
