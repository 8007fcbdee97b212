import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import {
  type Book,
  become,
  count,
  dayOf,
  fitsLimits,
  isOpen,
  type ModelPayment,
  type ModelPerson,
  type ModelRequest,
  newSession,
  workingLink,
} from '../types.ts';
import { isHeldUp } from './terms.ts';

export interface NewPayment {
  readonly source: ModelPayment['source'];
  readonly payer: ModelPerson;
  readonly payee: ModelPerson;
  readonly request: ModelRequest | null;
  /** Null: the request's. */
  readonly amount: number | null;
  readonly invoice: boolean;
}

/** A Request for Payment is answered within a quarter of an hour (decisions 1.8). */
const bankMs = 900_000;

/** Rounded half up; the payee's fees take no more than the amount, the platform's first. */
function feesOf(rules: readonly FeeRule[], type: string, source: string, amount: number) {
  let [payerFees, payeeFees] = [0, 0];
  for (const taker of ['platform', 'tenant']) {
    const rule = rules.find(
      (one) => one.type === taker && one.payment_type === type && one.source === source,
    );
    if (!rule) continue;
    const cents = Math.floor((amount * rule.basis_points) / 10_000 + rule.fixed + 0.5);
    if (rule.paid_by === 'payer') payerFees += cents;
    else payeeFees += Math.min(cents, amount - payeeFees);
  }
  return { payerFees, payeeFees };
}

function costOf({ settings }: Book, { payer, request, amount, source }: NewPayment) {
  const cents = amount ?? request?.amount ?? 0;
  const type = payer.type === 'business' ? 'merchant_to_merchant' : 'consumer_to_merchant';
  return { cents, ...feesOf(settings.fees, type, source, cents) };
}

/** The first refusal of a new payment, in the order of decisions 1.0; null when it is taken. */
function refusalOf(book: Book, order: NewPayment, nowMs: number): string | null {
  const { source, payer, payee, request, invoice } = order;
  if (payer.type === 'business' && !invoice) return 'parameter_missing';
  if (payer.status !== 'active' || isHeldUp(payer, nowMs)) return 'account_restricted';
  if (source === 'bank_account' && !workingLink(payer, 'load')) return 'capability_unavailable';
  if (payee.type !== 'business' || payee === payer) return 'payee_not_eligible';
  if (payee.status !== 'active') return 'payee_not_eligible';
  if (request?.status === 'canceled' || request?.claimedBy) return 'payment_request_invalid';
  if (request && (request.expiresMs ?? Infinity) <= nowMs) return 'payment_request_expired';
  if (request?.status === 'expired') return 'payment_request_expired';
  if (request?.status === 'paid') return 'payment_request_paid';
  const { cents, payerFees } = costOf(book, order);
  if (request?.amount && cents > request.amount) return 'amount_mismatch';
  if (!fitsLimits(book, 'payment', payer, cents, dayOf(nowMs))) return 'limit_exceeded';
  const held = source === 'balance' ? cents + payerFees : 0;
  return payer.available < held ? 'insufficient_funds' : null;
}

/** Payments from balances and by bank, and the requests that ask for them. */
export function openPayments(book: Book) {
  const { payments, requests } = book;
  const heldOf = ({ source, amount, payerFees }: ModelPayment) =>
    source === 'balance' ? amount + payerFees : 0;

  /** It ended without money having moved. */
  function end(payment: ModelPayment, status: 'failed' | 'canceled', failureCode: string | null) {
    const { customer, payee, day } = payment;
    const held = isOpen(payment) ? heldOf(payment) : 0;
    // Nothing of the payee's has ended unless the bank had it.
    if (!isOpen(payment)) payee.isNews = true;
    customer.isNews = true;
    customer.pending -= held;
    customer.available += held;
    count('payment', customer, day, -payment.amount);
    become(payment, status, { failureCode, deadlineMs: null, timeoutMs: null });
    if (payment.session) payment.session.live = false;
  }

  /** Its other payments end with a request that is paid or canceled. */
  function endOthers(request: ModelRequest): void {
    for (const other of payments.filter((one) => one.request === request && isOpen(one))) {
      if (request.status === 'paid') end(other, 'failed', 'payment_request_paid');
      else end(other, 'canceled', null);
    }
  }

  function endRequest(request: ModelRequest): void {
    become(request, 'canceled');
    endOthers(request);
  }

  function complete(payment: ModelPayment, nowMs: number): void {
    const { customer, payee, amount, payeeFees, request } = payment;
    if (isOpen(payment)) customer.pending -= heldOf(payment);
    else customer.isNews = true;
    payee.available += amount - payeeFees;
    payee.isNews = true;
    become(payment, 'completed', { completedMs: nowMs, timeoutMs: null });
    if (request?.amount == null) return;
    become(request, 'paid', { claimedBy: null });
    endOthers(request);
  }

  function fail(payment: ModelPayment, failureCode: string): void {
    end(payment, 'failed', failureCode);
    const { request, payee } = payment;
    if (request?.claimedBy !== payment) return;
    request.claimedBy = null;
    // Its merchant has begun to close meanwhile (decisions 1.1, cascade (b)).
    if (payee.status === 'closing' && request.status === 'open') endRequest(request);
  }

  const expiryMs = ({ status, expiresMs }: ModelRequest): number =>
    status === 'open' ? (expiresMs ?? Infinity) : Infinity;

  return {
    end,
    create(order: NewPayment, nowMs: number): string {
      const refusal = refusalOf(book, order, nowMs);
      if (refusal) return refusal;
      const { payer, payee, request, source } = order;
      const { cents, payerFees, payeeFees } = costOf(book, order);
      const day = dayOf(nowMs);
      const payment: ModelPayment = {
        kind: 'payment',
        id: '',
        source,
        customer: payer,
        payee,
        amount: cents,
        payerFees,
        payeeFees,
        request,
        day,
        link: source === 'bank_account' ? workingLink(payer, 'load') : null,
        events: ['created'],
        session: newSession(nowMs),
        deadlineMs: null,
        timeoutMs: null,
        completedMs: 0,
        refunded: 0,
        openRefunds: 0,
        refunding: 0,
        credited: 0,
        awarded: 0,
        dispute: null,
        status: 'requires_confirmation',
        oddMoney: new Set(),
        failureCode: null,
      };
      payer.available -= heldOf(payment);
      payer.pending += heldOf(payment);
      count('payment', payer, day, cents);
      payments.push(payment);
      return 'done';
    },
    confirm(payment: ModelPayment, nowMs: number): string {
      const { payee, request, source, link } = payment;
      if (request?.claimedBy) return 'invalid_state';
      if (payee.status !== 'active') end(payment, 'failed', 'payee_not_eligible');
      else if (link?.status === 'removed') end(payment, 'failed', 'linked_account_removed');
      else if (link && link.status !== 'verified') end(payment, 'failed', 'linked_account_failed');
      else if (source === 'balance') complete(payment, nowMs);
      else {
        become(payment, 'processing', { timeoutMs: nowMs + bankMs });
        if (request && request.amount !== null) request.claimedBy = payment;
      }
      return 'done';
    },
    cancel(payment: ModelPayment): string {
      if (!isOpen(payment)) return 'invalid_state';
      end(payment, 'canceled', null);
      return 'done';
    },
    /** What the bank says. */
    answer(payment: ModelPayment, pays: boolean, nowMs: number): string {
      if (payment.status !== 'processing') return 'invalid_state';
      if (pays) complete(payment, nowMs);
      else fail(payment, 'customer_refused');
      return 'done';
    },
    ask(request: Pick<ModelRequest, 'merchant' | 'amount' | 'expiresMs'>): string {
      const { merchant } = request;
      if (merchant.type !== 'business' || merchant.status !== 'active') return 'payee_not_eligible';
      const made = { id: '', qrPayload: '', status: 'open', claimedBy: null } as const;
      requests.push({ ...request, ...made, events: ['created'] });
      return 'done';
    },
    cancelRequest(request: ModelRequest): string {
      if (request.status !== 'open' || request.claimedBy) return 'invalid_state';
      endRequest(request);
      return 'done';
    },
    expireRequest(request: ModelRequest): string {
      if (request.status !== 'open' || request.amount === null) return 'invalid_state';
      become(request, 'expired');
      return 'done';
    },
    /** Cascade (b) of decisions 1.1: nobody can pay a closing merchant's requests any more. */
    closeDown(merchant: ModelPerson): void {
      for (const request of requests)
        if (request.merchant === merchant && request.status === 'open' && !request.claimedBy)
          endRequest(request);
    },
    nextDueMs: (): number =>
      Math.min(
        ...payments.map(({ timeoutMs }) => timeoutMs ?? Infinity),
        ...requests.map(expiryMs),
        Infinity,
      ),
    runDue(nowMs: number): void {
      for (const request of requests) if (expiryMs(request) <= nowMs) become(request, 'expired');
      for (const payment of payments)
        if ((payment.timeoutMs ?? Infinity) <= nowMs) fail(payment, 'request_expired');
    },
  };
}
