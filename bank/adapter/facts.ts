import type {
  BankInstruction,
  BookedOrder,
  OwnAccount,
} from '@tenant-payments/service/rails/bank.ts';
import type { BankFact, BankOutcome } from '@tenant-payments/service/rails/facts.ts';
import type { BankEvent, EventType, Order, Outcome, Side, Terms } from '../book/types.ts';

/** What this bank says, and what the service understands of it. Nothing here reaches outside. */

/** A fact, under the bank's own id of its message. */
export interface Receipt {
  readonly id: string;
  readonly tenantId: string;
  readonly port: 'bank';
  readonly fact: BankFact;
}

type Said = Pick<BankEvent, 'amount' | 'reason' | 'said_by' | 'text'>;

/** Each thing that the bank tells; null: the service has no fact for it yet. */
const outcomes: Readonly<Record<EventType, ((said: Said) => BankOutcome) | null>> = {
  'order.settled': ({ amount }) => ({ outcome: 'settled', amount: amount ?? 0 }),
  'order.failed': ({ reason, said_by, text }) => ({
    outcome: 'failed',
    reason: reason ?? 'NARR',
    ...(said_by && { saidBy: said_by }),
    ...(text && { text }),
  }),
  'order.returned': ({ amount }) => ({ outcome: 'returned', amount: amount ?? 0 }),
  'order.sent': null,
  'order.accepted': null,
  'order.cancelled': null,
  'money.received': null,
  'return.requested': null,
};

/** An event of the bank. @throws when it is none that this adapter knows */
export function parseEvent(text: string): BankEvent {
  const event = JSON.parse(text) as BankEvent;
  if (
    typeof event?.id !== 'string' ||
    typeof event.tenant !== 'string' ||
    !(event.type in outcomes)
  )
    throw new Error('this is no event of the bank');
  return event;
}

/** What the service takes of an event; null: nothing yet. */
export function receiptOf(event: BankEvent): Receipt | null {
  const { id, tenant: tenantId, type, order: orderId } = event;
  const outcome = outcomes[type]?.(event);
  if (!outcome || orderId === null) return null;
  return { id, tenantId, port: 'bank', fact: { id, orderId, ...outcome } };
}

const outcomeOf = ({ status, ...said }: Outcome): BankOutcome | null =>
  outcomes[`order.${status}`]?.(said) ?? null;

/** The end of an order that the bank knows, as the event told it; null: it has none. */
export function receiptOfOrder({ id: orderId, terms, outcome }: Order): Receipt | null {
  const said = outcome && outcomeOf(outcome);
  if (!said) return null;
  const { event: id } = outcome;
  return { id, tenantId: terms.tenant, port: 'bank', fact: { id, orderId, ...said } };
}

/** The order as this bank takes it. */
export function termsOf(order: BankInstruction): Terms {
  const { tenantId, endToEndId, kind, purpose, amount, expiresAt, returnOf, reference } = order;
  const side = (own: OwnAccount | null): Side =>
    own ? { own: own.role } : { reference: reference ?? '' };
  return {
    tenant: tenantId,
    end_to_end_id: endToEndId,
    kind,
    purpose,
    amount,
    from: side(order.from),
    to: side(order.to),
    expires_at: expiresAt,
    return_of: returnOf,
    remittance: null,
  };
}

/** The order as it stands in the bank's book. */
export const bookedOrder = ({ id, terms, taken_at, outcome }: Order): BookedOrder => ({
  tenantId: terms.tenant,
  id,
  kind: terms.kind,
  amount: terms.amount,
  at: taken_at as BookedOrder['at'],
  outcome: outcome && outcomeOf(outcome),
});
