import { type Command, command } from '../core/command.ts';
import { ApiError } from '../core/fail.ts';
import { fingerprintOf } from '../core/idempotency.ts';
import type { Service } from '../service.ts';
import { readOrder, tellOfOrder } from './bank_facts.ts';
import type { BankFact, IdentityFact, LinkFact, Verdict } from './facts.ts';
import { readSubject, tellOfSubject } from './identity_facts.ts';
import { readLink, tellOfLink } from './link_facts.ts';

const bankFact = command('bank_fact', {
  load: (read, { orderId }: BankFact) => readOrder(read, orderId),
  decide: (work, order, fact) => ({ value: tellOfOrder(work, order, fact, fact.id) }),
});

const identityFact = command('identity_fact', {
  load: (read, { subject, subjectId }: IdentityFact) => readSubject[subject](read, subjectId),
  decide: (work, subject, { decision }) => ({ value: tellOfSubject(work, subject, decision) }),
});

const linkFact = command('link_fact', {
  load: (read, { linkId }: LinkFact) => readLink(read, linkId),
  decide: (work, rows, fact) => ({ value: tellOfLink(work, rows, fact) }),
});

/**
 * Where the outside tells what happened there; the answers to what `instructions.ts` and `checks.ts`
 * asked come by this door. Each fact is one command. It resolves when its effect has committed, and
 * only then may the outside be told that it was heard: a fact that was not may be told again, with
 * its id, and moves nothing twice.
 * @throws ApiError parameter_invalid when an id that was used comes with another content; 503
 *   internal_error when it is not known whether the fact was taken
 */
export interface Inbound {
  bank(tenantId: string, fact: BankFact): Promise<Verdict>;
  identity(tenantId: string, fact: IdentityFact): Promise<Verdict>;
  aggregator(tenantId: string, fact: LinkFact): Promise<Verdict>;
}

/** What a person must look into; of the bank's it stands in the reviewer's queue (decisions 1.4). */
const alarming: readonly Verdict[] = [
  'contradiction',
  'unknown',
  'amount_mismatch',
  'late',
  'unmatched',
];

/** Opens the door through which facts of the outside come in. */
export function openInbound({ engine, log }: Pick<Service, 'engine' | 'log'>): Inbound {
  function noted(tenantId: string, kind: string, fact: object, verdict: Verdict): Verdict {
    if (alarming.includes(verdict))
      log.error({ alarm: verdict, tenant_id: tenantId, kind, fact }, 'a fact that fits no record');
    return verdict;
  }

  const receive =
    <F extends { readonly id: string }, Loaded>(fact: Command<F, Loaded, undefined>) =>
    async (tenantId: string, input: F): Promise<Verdict> => {
      const { name } = fact;
      const idempotency = {
        // With a space in it, unlike any key that a caller can send.
        keyHash: fingerprintOf(name, input.id, null),
        fingerprint: fingerprintOf(name, input.id, input),
      };
      try {
        const { body, replayed } = await engine.submit(fact, { tenantId, input, idempotency });
        const verdict: Verdict = JSON.parse(body);
        return replayed ? verdict : noted(tenantId, name, input, verdict);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found')
          return noted(tenantId, name, input, 'unknown');
        throw error;
      }
    };

  return {
    bank: receive(bankFact),
    identity: receive(identityFact),
    aggregator: receive(linkFact),
  };
}
