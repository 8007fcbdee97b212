import type {
  BankInstruction,
  BookedOrder,
  OwnAccount,
} from '@tenant-payments/service/rails/bank.ts';
import type { BankFact, BankOutcome } from '@tenant-payments/service/rails/facts.ts';
import type { Receipt } from '@tenant-payments/service/rails/providers/provider.ts';
import type { BankEvent, EventType, Order, Side, Terms } from '../book/types.ts';
import { Malformed } from './errors.ts';

/** Events of this bank as facts of the service. Nothing here reaches outside. */

type Said = Pick<BankEvent, 'amount' | 'reason' | 'said_by' | 'text' | 'provider_id'>;
type OrderEvent = Extract<EventType, `order.${string}`>;

const named = ({ provider_id }: Said) => (provider_id === null ? {} : { providerId: provider_id });
const refusal = ({ said_by, text }: Said) => ({
  ...(said_by && { saidBy: said_by }),
  ...(text && { text }),
});

/** The outcome for each word of the bank about an order. */
const outcomes: Readonly<Record<OrderEvent, (said: Said) => BankOutcome>> = {
  'order.sent': (said) => ({ outcome: 'sent', ...named(said) }),
  'order.pending_review': () => ({ outcome: 'pending_review' }),
  'order.accepted': () => ({ outcome: 'accepted' }),
  'order.settled_pending': () => ({ outcome: 'settled_pending' }),
  'order.settled': ({ amount, provider_id }) => ({
    outcome: 'settled',
    amount: amount ?? 0,
    ...(provider_id !== null && { paymentId: provider_id }),
  }),
  'order.failed': (said) => ({
    outcome: 'failed',
    reason: said.reason ?? 'NARR',
    ...refusal(said),
  }),
  'order.cancelled': (said) => ({
    outcome: 'cancelled',
    ...(said.reason && { reason: said.reason }),
    ...refusal(said),
  }),
  'order.returned': ({ amount }) => ({ outcome: 'returned', amount: amount ?? 0 }),
};
const isOfOrder = (type: string): type is OrderEvent => Object.hasOwn(outcomes, type);

/** Money that nobody has ordered. Money on another own account is none of the customers'. */
function moneyFact(event: BankEvent): BankFact | null {
  const { id, account, amount, sender, remittance, end_to_end_id, provider_id } = event;
  if (account !== 'fbo') return null;
  return {
    id,
    money: {
      amount: amount ?? 0,
      to: account,
      sender: sender === null ? null : { name: sender, last4: null },
      remittance,
      endToEndId: end_to_end_id,
      paymentId: provider_id ?? id,
    },
  };
}

/** Another bank asks for money back; its request has an id of its own. */
function returnRequestFact(event: BankEvent): BankFact {
  const { id, return_request, order, provider_id, amount, reason, text, answer_by } = event;
  return {
    id: return_request ?? id,
    returnRequest: {
      of: order ?? provider_id ?? '',
      amount: amount ?? 0,
      reason: reason ?? 'NARR',
      text,
      answerBy: (answer_by ?? event.at) as BookedOrder['at'],
    },
  };
}

function factOf(event: BankEvent): BankFact | null {
  const { id, type, order: orderId } = event;
  if (type === 'money.received') return moneyFact(event);
  if (type === 'return.requested') return returnRequestFact(event);
  if (!isOfOrder(type) || orderId === null) return null;
  return { id, orderId, ...outcomes[type](event) };
}

/** An event of the bank, of whatever type. @throws Malformed */
export function parseEvent(text: string): BankEvent {
  const event = parsed(text) as BankEvent | null;
  const words = [event?.id, event?.tenant, event?.type];
  if (words.some((word) => typeof word !== 'string'))
    throw new Malformed('this is no event of the bank');
  return event as BankEvent;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Malformed('not JSON');
  }
}

/**
 * The receipt that the service takes of an event; null: this adapter does not know its type, or it is not the
 * customers' money.
 */
export function receiptOf(event: BankEvent): Receipt | null {
  const { id, tenant: tenantId } = event;
  const fact = factOf(event);
  return fact && { id, tenantId, port: 'bank', fact };
}

/** How an order stands by the bank's own book, as the event told it. */
export function standingOf({ id: orderId, provider_id, status, outcome }: Order): BankFact {
  const nothing = { amount: null, reason: null, said_by: null, text: null };
  const said = { ...(outcome ?? nothing), provider_id };
  const id = outcome?.event ?? `${status} ${orderId}`;
  return { id, orderId, ...outcomes[`order.${status}`](said) };
}

/** The customer's account by its numbers, where the aggregator has given them. */
function customerSide({ counterparty, reference }: BankInstruction): Side {
  if (!counterparty?.account) return { reference: reference ?? '' };
  const { routing, account } = counterparty.account;
  return { routing, account, name: counterparty.name.slice(0, 140) };
}

/** The order as this bank takes it. */
export function termsOf(order: BankInstruction): Terms {
  const { tenantId, endToEndId, kind, purpose, amount, expiresAt, returnOf, remittance } = order;
  // The bank knows an own account by Tenant and role.
  const side = (own: OwnAccount | null): Side => (own ? { own: own.role } : customerSide(order));
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
    remittance: remittance || null,
  };
}

/** The order as it stands in the bank's book. */
export function bookedOrder(order: Order): BookedOrder {
  const { id, provider_id, terms, taken_at, outcome } = order;
  return {
    tenantId: terms.tenant,
    id,
    kind: terms.kind,
    amount: terms.amount,
    at: taken_at as BookedOrder['at'],
    outcome: outcome && outcomes[`order.${outcome.status}`]({ ...outcome, provider_id }),
  };
}
