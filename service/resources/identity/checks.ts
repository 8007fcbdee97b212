import { column, table, words } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { IdentityFact } from '../../rails/facts.ts';

/** Why an identity provider decided so (rules/identity#12). */
export const identityChecks = table({
  name: 'identity_checks',
  key: ['id'],
  frozen: ['subject', 'subject_id', 'customer_id', 'decision', 'reasons', 'signals', 'created_at'],
  columns: {
    id: column.uuid,
    subject: words(['customer', 'owner']),
    subject_id: column.uuid,
    customer_id: column.uuid,
    decision: words(['approved', 'rejected', 'unclear']),
    /** Words of the provider: `document_expired`. */
    reasons: column.texts,
    /** `same_tax_number: 2`. */
    signals: column.texts,
    created_at: column.instant,
  },
});

/** Keeps what a provider says beside its decision; nothing where it says nothing. */
export function keepCheck(
  work: Work,
  customerId: string,
  { subject, subjectId, decision, reasons = [], signals = {} }: IdentityFact,
): void {
  const told = Object.entries(signals).map(([name, value]) => `${name}: ${value}`);
  if (reasons.length + told.length === 0) return;
  work.create(identityChecks, {
    id: work.newId(),
    subject,
    subject_id: subjectId,
    customer_id: customerId,
    decision,
    reasons,
    signals: told,
    created_at: work.now,
  });
}
