import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, IdentityDecision, IdentityFact } from '../../rails/facts.ts';
import type { IdentitySubject } from '../../rails/identity.ts';
import type { Provider } from '../../rails/providers/provider.ts';
import { type BankVoice, keepReceipt } from './said_by_bank.ts';

/** The sandbox's identity provider: nobody sends for it and nobody asks it (rules/sandbox#54). */
export const sandboxIdentity: Provider = { name: 'sandbox-identity' };

interface Decided {
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  readonly decision: IdentityDecision;
}

/**
 * Keeps a decision of the sandbox's identity provider, in the command that acts on it. It decides anew for each request,
 * so that each is a message of its own: a business may be approved early, and once more after its owners.
 */
export function keepDecision(
  work: Work,
  voice: BankVoice,
  { subject, subjectId, decision }: Decided,
  result: FactResult,
): void {
  const id = `${decision} ${subjectId} ${work.newId()}`;
  const fact: IdentityFact = { id, subject, subjectId, decision };
  const receipt = { id, tenantId: work.tenantId, port: 'identity', fact } as const;
  keepReceipt(work, voice, sandboxIdentity, { receipt, record: subjectId }, result);
}
