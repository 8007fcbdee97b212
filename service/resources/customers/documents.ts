import {
  type DocumentType,
  requiredDocuments,
} from '@tenant-payments/contract/resources/documents.ts';
import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Work } from '../../core/work.ts';
import { type DocumentRow, documents } from './documents_table.ts';
import type { CustomerRow } from './table.ts';

/** The version of every document that is in force when a customer comes. */
const firstVersion = '2026-01';

/** The version after one: they count months. */
function versionAfter(version: string): string {
  const [year = 0, month = 0] = version.split('-').map(Number);
  return month < 12 ? `${year}-${String(month + 1).padStart(2, '0')}` : `${year + 1}-01`;
}

/** Accepts, in onboarding, each document that the customer's type needs and that it has not accepted. */
export function acceptInOnboarding(
  work: Work,
  customer: CustomerRow,
  existing: readonly DocumentRow[],
): void {
  const known = new Set<DocumentType>(existing.map((row) => row.document_type));
  for (const type of requiredDocuments[customer.type]) {
    if (known.has(type)) continue;
    work.create(
      documents,
      {
        id: work.newId(),
        customer_id: customer.id,
        document_type: type,
        document_version: firstVersion,
        accepted_at: work.now,
        channel: 'onboarding',
        created_at: work.now,
      },
      'accept',
    );
  }
}

/** Accepts what waits, in terms_acceptance; what was in force until now is superseded. */
export function acceptWaiting(work: Work, existing: readonly DocumentRow[]): void {
  const channel: Flow = 'terms_acceptance';
  for (const waiting of existing.filter((row) => row.status === 'pending_acceptance')) {
    const before = existing.filter(
      (row) => row.status === 'accepted' && row.document_type === waiting.document_type,
    );
    work.move(waiting, 'accept_version', { set: { accepted_at: work.now, channel } });
    for (const row of before) work.move(row, 'supersede');
  }
}

/**
 * The reviewer publishes a new version to a customer who accepted the one before. A version that
 * still waited is superseded by it.
 * @throws ApiError invalid_state when `id` is not the accepted row of its type
 */
export const publishDocument = command('publish_document', {
  load: async (read, { id }: { id: string }) => {
    const accepted = await read.one(documents, id);
    return { accepted, all: await read.set(documents, 'customer_id', accepted.customer_id) };
  },
  decide: (work, { accepted, all }) => {
    if (accepted.status !== 'accepted')
      throw fail('invalid_state', {
        details: { current_status: accepted.status, allowed: ['accepted'] },
      });
    const ofType = all.filter((row) => row.document_type === accepted.document_type);
    const waiting = ofType.filter((row) => row.status === 'pending_acceptance');
    const [latest = firstVersion] = ofType
      .map((row) => row.document_version)
      .sort()
      .reverse();
    const record = work.create(
      documents,
      {
        id: work.newId(),
        customer_id: accepted.customer_id,
        document_type: accepted.document_type,
        document_version: versionAfter(latest),
        accepted_at: null,
        channel: null,
        created_at: work.now,
      },
      'publish',
    );
    for (const row of waiting) work.move(row, 'supersede');
    return { record };
  },
});
