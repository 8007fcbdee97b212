import {
  type DocumentType,
  type DocumentVersion,
  requiredDocuments,
} from '@tenant-payments/contract/resources/documents.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { CustomerRow } from '../table.ts';
import { firstVersion } from './samples/samples.ts';
import type { DocumentRow } from './table.ts';

/** A customer's state of each document, as far as these functions need it. */
type Held = Pick<DocumentRow, 'document_type' | 'document_version' | 'status'>;

const versionOf = ({ document_type, document_version }: Held): DocumentVersion => ({
  document_type,
  version: document_version,
});

const waitingOf = (held: readonly Held[]) =>
  held.filter(({ status }) => status === 'pending_acceptance');
const acceptedOf = (held: readonly Held[]) => held.filter(({ status }) => status === 'accepted');

/** The documents that onboarding shows: those that wait, else those accepted before, else those in force. */
export function dueInOnboarding(
  { type }: Pick<CustomerRow, 'type'>,
  held: readonly Held[],
  inForce: (type: DocumentType) => string | undefined,
): readonly DocumentVersion[] {
  return requiredDocuments[type].map((document_type) => {
    const ofType = held.filter((row) => row.document_type === document_type);
    const [found] = [...waitingOf(ofType), ...acceptedOf(ofType)];
    if (found) return versionOf(found);
    return { document_type, version: inForce(document_type) ?? firstVersion };
  });
}

/** The documents that terms_acceptance shows: those that wait, or where none does, those in force. */
export function dueInTerms(held: readonly Held[]): readonly DocumentVersion[] {
  const waiting = waitingOf(held);
  return (waiting.length > 0 ? waiting : acceptedOf(held)).map(versionOf);
}

/**
 * Asserts that an answer accepts exactly the versions that its page showed (rules/documents#19).
 * @param read null: a simulated customer, who reads whatever is due
 * @throws ApiError invalid_state {reason: documents_changed}
 */
export function assertRead(
  { status }: Pick<CustomerRow, 'status'>,
  due: readonly DocumentVersion[],
  read: readonly DocumentVersion[] | null,
): void {
  if (read === null) return;
  const keyOf = ({ document_type, version }: DocumentVersion) => `${document_type} ${version}`;
  const keys = new Set(read.map(keyOf));
  if (read.length === due.length && due.every((one) => keys.has(keyOf(one)))) return;
  throw fail('invalid_state', {
    details: { current_status: status, allowed: [], reason: 'documents_changed' },
  });
}
