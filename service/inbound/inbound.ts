import { fingerprintOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { BankFact, FactResult, IdentityFact, Inbound, LinkFact } from '../rails/facts.ts';
import type { Service } from '../service.ts';
import { applyBankOutcome, readOrder } from './bank_facts.ts';
import { applyIdentityDecision, readSubject } from './identity_facts.ts';
import { applyLinkOutcome, readLink } from './link_facts.ts';
import { alarmOf, type ReasonAlarm } from './reasons.ts';
import { heldFact } from './said.ts';

const bankFact = command('bank_fact', {
  load: (read, { orderId }: BankFact) => readOrder(read, orderId),
  decide: (work, rows, fact) => {
    const value = applyBankOutcome(work, rows, fact, fact.id);
    const hasFailed = value === 'taken' && fact.outcome === 'failed';
    return { value, told: hasFailed ? alarmOf(rows.order, fact.reason) : null };
  },
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

/** A refused order that is not the customer's matter, or whose reason nobody knows (rules/failure-codes#13). */
const refused: Readonly<Record<ReasonAlarm, readonly [{ readonly alarm: string }, string]>> = {
  fbo_short: [
    { alarm: 'fbo_short' },
    'the account at the bank has too little money for a transfer; top it up',
  ],
  bank_refusal: [
    { alarm: 'bank_refusal' },
    'the bank refused an order for what we sent, or for our own account',
  ],
  bank_reason: [
    { alarm: 'bank_reason' },
    'the bank refused an order with a reason that this release does not know',
  ],
  own_order: [
    { alarm: 'own_order' },
    'the bank refused a sweep, money for the reserve or money that goes back; its money is where it was',
  ],
};

/** Makes the functions that take facts from the outside. */
export function openInbound({ engine, log }: Pick<Service, 'engine' | 'log'>): Inbound {
  /** Names of people stand in no log and no alarm. */
  const withoutNames = (fact: object) => ('names' in fact ? { ...fact, names: undefined } : fact);

  function reported(tenantId: string, kind: string, fact: object, result: FactResult): FactResult {
    if (alarming.includes(result))
      log.error(
        { alarm: result, tenant_id: tenantId, kind, fact: withoutNames(fact) },
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
        const done = await engine.submit(fact, { tenantId, input, idempotency });
        const result: FactResult = JSON.parse(done.body);
        if (done.replayed) return result;
        const [alarm, message] = refused[done.told as ReasonAlarm] ?? [];
        if (alarm) log.error({ ...alarm, tenant_id: tenantId, kind: name, fact: input }, message);
        return reported(tenantId, name, input, result);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found')
          return reported(tenantId, name, input, 'unknown');
        throw error;
      }
    };

  const takeBankFact = receive(bankFact);
  return {
    bank: (tenantId, fact) => takeBankFact(tenantId, heldFact(fact)),
    identity: receive(identityFact),
    aggregator: receive(linkFact),
  };
}
