import { fingerprintOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Sealer } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { keepEndedMessage } from '../../inbound/providers/kept_messages.ts';
import { endOf, type MessageContents } from '../../inbound/providers/receipt.ts';
import type { BankFact, FactResult } from '../../rails/facts.ts';
import type { Provider, Receipt } from '../../rails/providers/provider.ts';
import { railMessageSeal } from '../../rails/providers/table.ts';
import type { Service } from '../../service.ts';

/** The sandbox's bank as a provider: nobody sends for it and nobody asks it, since its book is this database. */
export const sandboxBank: Provider = { name: 'sandbox-bank' };

/** The parts needed to keep the words of the sandbox's bank. */
export interface BankVoice {
  readonly vault: Pick<Sealer, 'seal'>;
  /** In real time. */
  now(): Instant;
}

export const openBankVoice = ({
  vault,
  clocks,
}: Pick<Service, 'clocks'> & { readonly vault: Pick<Sealer, 'seal'> }): BankVoice => ({
  vault,
  now: () => instantOf(clocks.realNow()),
});

/**
 * Keeps what a provider of the sandbox says with what came of it: one row, in the command that acts on it, so that
 * neither is without the other (rules/sandbox#51).
 * @param record the uuid that its fact names; null: none
 */
export function keepReceipt(
  work: Work,
  { vault, now }: BankVoice,
  { name: provider }: Provider,
  { receipt, record }: { readonly receipt: Receipt; readonly record: string | null },
  result: FactResult,
): void {
  const { id, tenantId, port, fact } = receipt;
  const said: MessageContents = { receipt, headers: {}, body: null };
  const ended = endOf(result);
  keepEndedMessage(work, {
    provider,
    message_id: id,
    port,
    record,
    digest: fingerprintOf('rail_message', port, fact),
    received_at: now(),
    seal: (place) => vault.seal(tenantId, railMessageSeal(place), said),
    ended,
  });
  work.count({ meter: 'rail_messages_total', labels: { provider, state: ended.state } });
}

/** Keeps what the sandbox's bank says. */
export function keepSaid(work: Work, voice: BankVoice, fact: BankFact, result: FactResult): void {
  const receipt: Receipt = { id: fact.id, tenantId: work.tenantId, port: 'bank', fact };
  const record = 'orderId' in fact ? (fact.orderId ?? null) : null;
  keepReceipt(work, voice, sandboxBank, { receipt, record }, result);
}
