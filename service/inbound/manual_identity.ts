import { timingSafeEqual } from 'node:crypto';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Identity, IdentityAnswers, IdentityCheck } from '../rails/identity.ts';
import { readSamePerson } from '../resources/identity/same_person.ts';
import { identitiesOf, type OpenedIdentity } from '../resources/identity/vault.ts';
import type { Service } from '../service.ts';
import { openInbound } from './inbound.ts';

/** How the audit names this adapter. */
const by = 'manual';

type Parts = Pick<Service, 'config' | 'db' | 'engine' | 'vault' | 'log'>;

/** Compared in constant time, whatever the texts are. */
function isSame(given: string, kept: string | undefined): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(kept ?? '')];
  return a.length === b.length && timingSafeEqual(a, b);
}

function matching({ answers }: IdentityAnswers, kept: OpenedIdentity): boolean {
  if ('ein' in answers) return isSame(answers.ein, kept.tax_number);
  const isNumber = isSame(answers.ssnLast4, kept.tax_number?.slice(-4));
  return isSame(answers.birthDate, kept.birth_date) && isNumber;
}

/**
 * `IDENTITY=manual`: the data is kept in the vault, and people decide (rules/identity#9). A check makes a case of the
 * reviewers, whose move is the decision.
 */
export function openManualIdentity(parts: Parts): Identity {
  const { db } = parts;
  const vault = identitiesOf(parts);
  assert(vault, 'IDENTITY=manual comes with IDENTITY_KEY');
  const inbound = openInbound({ ...parts, asks: true });

  /** Signals for the reviewer beside the case. */
  async function signalsOf({ tenantId, subjectId }: IdentityCheck) {
    const same = await readSamePerson(db, tenantId, subjectId);
    const customers = new Set(same.map(({ customer_id }) => customer_id));
    return { ...(customers.size > 0 && { same_tax_number: String(customers.size) }) };
  }

  return {
    can: { documents: true },
    async collect(applicant) {
      await vault.keep(applicant);
      return `vault ${applicant.subjectId}`;
    },
    async check(question) {
      const { tenantId, subject, subjectId, since } = question;
      const signals = await signalsOf(question);
      const reasons = 'same_tax_number' in signals ? ['same_tax_number'] : [];
      const id = `${by} ${subjectId} ${since}`;
      const fact = { id, subject, subjectId, decision: 'unclear', reasons, signals } as const;
      await inbound.identity(tenantId, fact);
    },
    async matches(question) {
      const { tenantId, subject, subjectId, answers } = question;
      const fields =
        'ein' in answers ? (['tax_number'] as const) : (['birth_date', 'tax_number'] as const);
      const opening = { subject, id: subjectId, fields, by, for: 'pin_reset' };
      const kept = await vault.open(tenantId, opening);
      return kept !== null && matching(question, kept);
    },
  };
}
