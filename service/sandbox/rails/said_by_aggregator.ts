import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, LinkFact, LinkOutcome } from '../../rails/facts.ts';
import type { Provider } from '../../rails/providers/provider.ts';
import type { LinkedAccountRow } from '../../resources/linked_accounts/table.ts';
import { type BankVoice, keepReceipt } from './said_by_bank.ts';

/** The sandbox's aggregator as a provider: nobody sends for it and nobody asks it (rules/sandbox#53). */
export const sandboxAggregator: Provider = { name: 'sandbox-aggregator' };

/** The fact of a result: a link has each once for each of its versions. */
export const factOfLink = (
  { id: linkId, version }: Pick<LinkedAccountRow, 'id' | 'version'>,
  outcome: LinkOutcome,
): LinkFact => ({ id: `${outcome.outcome} ${linkId} ${version}`, linkId, ...outcome });

/** Keeps what the sandbox's aggregator says, in the command that acts on it. */
export function keepLinkSaid(
  work: Work,
  voice: BankVoice,
  fact: LinkFact,
  result: FactResult,
): void {
  const receipt = { id: fact.id, tenantId: work.tenantId, port: 'aggregator', fact } as const;
  keepReceipt(work, voice, sandboxAggregator, { receipt, record: fact.linkId }, result);
}
