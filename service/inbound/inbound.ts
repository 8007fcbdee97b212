import { fingerprintOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { BankFact, FactResult, IdentityFact, Inbound, LinkFact } from '../rails/facts.ts';
import type { Service } from '../service.ts';
import { applyBankOutcome, readOrder } from './bank_facts.ts';
import { applyIdentityDecision, readSubject } from './identity_facts.ts';
import { applyLinkOutcome, readLink } from './link_facts.ts';

const bankFact = command('bank_fact', {
  load: (read, { orderId }: BankFact) => readOrder(read, orderId),
  decide: (work, order, fact) => ({ value: applyBankOutcome(work, order, fact, fact.id) }),
});

const identityFact = command('identity_fact', {
  load: (read, { subject, subjectId }: IdentityFact) => readSubject[subject](read, subjectId),
  decide: (work, subject, { decision }) => ({
    value: applyIdentityDecision(work, subject, decision),
  }),
});

const linkFact = command('link_fact', {
  load: (read, { linkId }: LinkFact) => readLink(read, linkId),
  decide: (work, rows, fact) => ({ value: applyLinkOutcome(work, rows, fact) }),
});

/** A person must look into these; the bank's are also in the reviewer's queue (rules/review#17). */
const alarming: readonly FactResult[] = [
  'contradiction',
  'unknown',
  'amount_mismatch',
  'late',
  'unmatched',
];

/** Makes the functions that take facts from the outside. */
export function openInbound({ engine, log }: Pick<Service, 'engine' | 'log'>): Inbound {
  function reported(tenantId: string, kind: string, fact: object, result: FactResult): FactResult {
    if (alarming.includes(result))
      log.error(
        { alarm: result, tenant_id: tenantId, kind, fact },
        'a fact from the outside does not fit its record; check it with its sender',
      );
    return result;
  }

  const receive =
    <F extends { readonly id: string }, Loaded>(fact: Command<F, Loaded, undefined>) =>
    async (tenantId: string, input: F): Promise<FactResult> => {
      const { name } = fact;
      const idempotency = {
        // With a space in it, unlike any key that a caller can send.
        keyHash: fingerprintOf(name, input.id, null),
        fingerprint: fingerprintOf(name, input.id, input),
      };
      try {
        const { body, replayed } = await engine.submit(fact, { tenantId, input, idempotency });
        const result: FactResult = JSON.parse(body);
        return replayed ? result : reported(tenantId, name, input, result);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found')
          return reported(tenantId, name, input, 'unknown');
        throw error;
      }
    };

  return {
    bank: receive(bankFact),
    identity: receive(identityFact),
    aggregator: receive(linkFact),
  };
}
