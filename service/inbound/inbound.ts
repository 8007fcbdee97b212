import { fingerprintOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { noticeEffects } from '../flows/notice_effects.ts';
import type {
  FactResult,
  IdentityFact,
  Inbound,
  LinkFact,
  MessageFact,
  OrderFact,
  OrderNamed,
} from '../rails/facts.ts';
import { type InstructionRow, instructions } from '../rails/instructions.ts';
import { loadMessage } from '../resources/customers/notices/given.ts';
import type { Service } from '../service.ts';
import { applyBankOutcome, isAwardedEarly, readOrder } from './bank_facts.ts';
import { applyIdentityFact, readSubject } from './identity_facts.ts';
import { heldFact, heldIdentity } from './kept_words.ts';
import { applyLinkOutcome, readLink } from './link_facts.ts';
import { applyArrival } from './message_facts.ts';
import { alarmOf, cancelledFor, type ReasonAlarm } from './reasons.ts';
import { heldRequest, loadReturnRequest, receiveReturnRequest } from './return_requests.ts';
import { heldMoney, loadMoney, readPayment, receiveMoney, receivePayment } from './unordered.ts';

/** @throws ApiError not_found when no order, or more than one, has this id of the bank */
async function orderIdOf(read: Read, fact: OrderNamed): Promise<string> {
  if (fact.orderId !== undefined) return fact.orderId;
  const [order, ...more] = await read.set(instructions, 'provider_id', fact.providerId);
  if (!order || more.length > 0) throw fail('not_found');
  return order.id;
}

/** Why the bank ended the order that it now has ended; null: it has not, or had before. */
function endedFor(fact: OrderFact, value: FactResult): string | null {
  if (value !== 'taken') return null;
  if (fact.outcome === 'cancelled') return cancelledFor(fact);
  return fact.outcome === 'failed' ? fact.reason : null;
}

/** The alarms about an order that has ended, as `refused` words them. */
const alarmsOf = (order: InstructionRow, reason: string, isAwarded: boolean): BankAlarm[] => [
  ...[alarmOf(order, reason)].filter((alarm) => alarm !== null),
  ...(isAwarded ? (['awarded_twice'] as const) : []),
];

/** @param asks the bank can be asked how an order stands */
const bankFact = (asks: boolean) =>
  command('bank_fact', {
    load: async (read, fact: OrderFact) => {
      const rows = await readOrder(read, await orderIdOf(read, fact));
      return { ...rows, payment: await readPayment(read, rows, fact) };
    },
    decide: (work, { payment, ...rows }, fact) => {
      const isAwarded = isAwardedEarly(rows);
      const value = payment
        ? receivePayment(work, payment)
        : applyBankOutcome(work, rows, fact, fact.id, asks);
      const reason = endedFor(fact, value);
      return { value, told: reason === null ? [] : alarmsOf(rows.order, reason, isAwarded) };
    },
  });

const moneyFact = command('money_fact', {
  load: loadMoney,
  decide: (work, rows) => ({ value: receiveMoney(work, rows) }),
});

const returnRequestFact = command('return_request_fact', {
  load: loadReturnRequest,
  decide: (work, found, request) => ({ value: receiveReturnRequest(work, found, request) }),
});

const identityFact = command('identity_fact', {
  load: (read, { subject, subjectId }: IdentityFact) => readSubject[subject](read, subjectId),
  decide: (work, subject, fact) => ({ value: applyIdentityFact(work, subject, fact) }),
});

const linkFact = command('link_fact', {
  load: (read, { linkId }: LinkFact) => readLink(read, linkId),
  decide: (work, rows, fact) => ({ value: applyLinkOutcome(work, rows, fact) }),
});

const messageFact = command('message_fact', {
  load: (read, { messageId }: MessageFact) => loadMessage(read, messageId, noticeEffects),
  decide: (work, message, fact) => ({ value: applyArrival(work, message, fact) }),
});

/** A person must look into these; the bank's are also in the reviewer's queue (rules/review#17). */
const alarming: readonly FactResult[] = [
  'contradiction',
  'unknown',
  'amount_mismatch',
  'late',
  'unmatched',
];

type BankAlarm = ReasonAlarm | 'awarded_twice';

/** A refused order that a person must look into, whatever became of its record (rules/failure-codes#13). */
const refused: Readonly<Record<BankAlarm, readonly [{ readonly alarm: string }, string]>> = {
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
  awarded_twice: [
    { alarm: 'awarded_twice' },
    'the bank refused what a dispute had awarded already; its customer has the money twice',
  ],
};

/** Names of people, and what they wrote. */
const told = ['names', 'senderName', 'senderLast4', 'remittance', 'requestText'];
/** A fact as the log has it. */
const loggedOf = (fact: object): object =>
  Object.fromEntries(Object.entries(fact).filter(([name]) => !told.includes(name)));

/**
 * Makes the functions that take facts from the outside.
 * @param asks whether the bank is asked how an order stands before a timeout fails it (rules/bank-orders#22); true where
 *   the bank is not at hand, since the job that asks knows whether it can be
 */
export function openInbound({
  engine,
  log,
  asks,
}: Pick<Service, 'engine' | 'log'> & { readonly asks: boolean }): Inbound {
  function reported(tenantId: string, kind: string, fact: object, result: FactResult): FactResult {
    if (alarming.includes(result))
      log.error(
        { alarm: result, tenant_id: tenantId, kind, fact: loggedOf(fact) },
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
        let done = await engine.submit(fact, { tenantId, input, idempotency });
        // The bank says again what it was asked of since: now it is an answer.
        if (done.replayed && JSON.parse(done.body) === ('queried' satisfies FactResult))
          done = await engine.submit(fact, { tenantId, input });
        const result: FactResult = JSON.parse(done.body);
        if (done.replayed) return result;
        for (const raised of (done.told ?? []) as readonly BankAlarm[]) {
          const [alarm, message] = refused[raised];
          log.error({ ...alarm, tenant_id: tenantId, kind: name, fact: input }, message);
        }
        return reported(tenantId, name, input, result);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found')
          return reported(tenantId, name, input, 'unknown');
        throw error;
      }
    };

  const takeBankFact = receive(bankFact(asks));
  const takeIdentityFact = receive(identityFact);
  const takeMoney = receive(moneyFact);
  const takeReturnRequest = receive(returnRequestFact);
  return {
    bank: async (tenantId, fact) => {
      if ('money' in fact) return takeMoney(tenantId, heldMoney(fact));
      if ('returnRequest' in fact) return takeReturnRequest(tenantId, heldRequest(fact));
      return takeBankFact(tenantId, heldFact(fact));
    },
    identity: async (tenantId, fact) => takeIdentityFact(tenantId, heldIdentity(fact)),
    aggregator: receive(linkFact),
    messages: receive(messageFact),
  };
}
