import { column, table, words } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { IdentityFact, IdentityFinding } from '../../rails/facts.ts';

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
    /** The findings of a check, and of the provider besides: `document: failed (expired)`, `same_tax_number: 2`. */
    signals: column.texts,
    created_at: column.instant,
  },
});

const told = ({ check, result, reasons = [] }: IdentityFinding): string =>
  `${check}: ${result}${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`;

/** Keeps what a provider says beside its decision; nothing where it says nothing. */
export function keepCheck(
  work: Work,
  customerId: string,
  {
    subject,
    subjectId,
    decision,
    reasons = [],
    checks = [],
    signals = {},
  }: Omit<IdentityFact, 'id'>,
): void {
  const besides = Object.entries(signals).map(([name, value]) => `${name}: ${value}`);
  const found = [...checks.map(told), ...besides];
  if (reasons.length + found.length === 0) return;
  work.create(identityChecks, {
    id: work.newId(),
    subject,
    subject_id: subjectId,
    customer_id: customerId,
    decision,
    reasons,
    signals: found,
    created_at: work.now,
  });
}
