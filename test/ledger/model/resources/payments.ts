import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import {
  become,
  count,
  type Due,
  dayOf,
  endTarget,
  fitsLimits,
  isHeldUp,
  isOpen,
  type Ledger,
  type ModelPayment,
  type ModelPerson,
  type ModelRequest,
  newSession,
  newTarget,
  workingLink,
} from '../types.ts';

interface NewPayment {
  readonly source: ModelPayment['source'];
  readonly payer: ModelPerson;
  readonly payee: ModelPerson;
  readonly request: ModelRequest | null;
  /** Null: the request's. */
  readonly amount: number | null;
  readonly invoice: boolean;
}

/** A Request for Payment is answered within a quarter of an hour. */
const bankMs = 900_000;

/** Rounded half up; the payee's fees take at most the amount, the platform's first. */
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

function costOf({ settings }: Ledger, { payer, request, amount, source }: NewPayment) {
  const cents = amount ?? request?.amount ?? 0;
  const type = payer.type === 'business' ? 'merchant_to_merchant' : 'consumer_to_merchant';
  return { cents, ...feesOf(settings.fees, type, source, cents) };
}

/** The first refusal of a new payment in the order of checks; null when it is accepted. */
function refusalOf(ledger: Ledger, order: NewPayment): string | null {
  const { nowMs } = ledger.clock;
  const { source, payer, payee, request, invoice } = order;
  if (payer.type === 'business' && !invoice) return 'parameter_missing';
  if (payer.status !== 'active' || isHeldUp(payer, ledger)) return 'account_restricted';
  if (source === 'bank_account' && !workingLink(payer, 'load')) return 'capability_unavailable';
  if (payee.type !== 'business' || payee === payer) return 'payee_not_eligible';
  if (payee.status !== 'active') return 'payee_not_eligible';
  if (request?.status === 'canceled' || request?.claimedBy) return 'payment_request_invalid';
  if (request && (request.expiresMs ?? Infinity) <= nowMs) return 'payment_request_expired';
  if (request?.status === 'expired') return 'payment_request_expired';
  if (request?.status === 'paid') return 'payment_request_paid';
  const { cents, payerFees } = costOf(ledger, order);
  if (request?.amount && cents > request.amount) return 'amount_mismatch';
  if (!fitsLimits(ledger, 'payment', payer, cents, dayOf(nowMs))) return 'limit_exceeded';
  const held = source === 'balance' ? cents + payerFees : 0;
  return payer.available < held ? 'insufficient_funds' : null;
}

/** Payments from balances and by bank, and payment requests. */
export function openPayments(ledger: Ledger) {
  const { payments, requests, clock } = ledger;
  const heldOf = ({ source, amount, payerFees }: ModelPayment) =>
    source === 'balance' ? amount + payerFees : 0;

  /** Ends a payment without money having moved. */
  function end(payment: ModelPayment, status: 'failed' | 'canceled', failureCode: string | null) {
    const { customer, payee, day } = payment;
    const held = isOpen(payment) ? heldOf(payment) : 0;
    // The payment kept nothing of the payee's waiting before it was at the bank.
    if (!isOpen(payment)) payee.isNews = true;
    customer.isNews = true;
    customer.pending -= held;
    customer.available += held;
    count('payment', customer, day, -payment.amount);
    endTarget(payment, status, failureCode);
  }

  /** The other payments end with a request that is paid or canceled. */
  function endOthers(request: ModelRequest): void {
    for (const other of payments.filter((one) => one.request === request && isOpen(one)))
      if (request.status === 'paid') end(other, 'failed', 'payment_request_paid');
      else end(other, 'canceled', null);
  }

  function endRequest(request: ModelRequest): void {
    become(request, 'canceled');
    endOthers(request);
  }

  function complete(payment: ModelPayment): void {
    const { customer, payee, amount, payeeFees, request } = payment;
    if (isOpen(payment)) customer.pending -= heldOf(payment);
    else customer.isNews = true;
    payee.available += amount - payeeFees;
    payee.isNews = true;
    become(payment, 'completed', { completedMs: clock.nowMs, timeoutMs: null });
    if (request?.amount == null) return;
    become(request, 'paid', { claimedBy: null });
    endOthers(request);
  }

  function fail(payment: ModelPayment, failureCode: string): void {
    end(payment, 'failed', failureCode);
    const { request, payee } = payment;
    if (request?.claimedBy !== payment) return;
    request.claimedBy = null;
    // Its merchant has begun to close meanwhile.
    if (payee.status === 'closing' && request.status === 'open') endRequest(request);
  }

  return {
    /** Declined, expired or restricted. */
    end: (payment: ModelPayment, failureCode: string) =>
      end(payment, 'canceled', failureCode === 'confirmation_declined' ? failureCode : null),
    create(order: NewPayment): string {
      const refusal = refusalOf(ledger, order);
      if (refusal) return refusal;
      const { payer, payee, request, source } = order;
      const { cents, payerFees, payeeFees } = costOf(ledger, order);
      const day = dayOf(clock.nowMs);
      const payment: ModelPayment = {
        ...newTarget(),
        kind: 'payment',
        status: 'requires_confirmation',
        events: ['created'],
        session: newSession(ledger),
        source,
        customer: payer,
        payee,
        amount: cents,
        payerFees,
        payeeFees,
        request,
        day,
        link: source === 'bank_account' ? workingLink(payer, 'load') : null,
        completedMs: 0,
        refunded: 0,
        openRefunds: 0,
        refunding: 0,
        credited: 0,
        awarded: 0,
        disputedFee: null,
        dispute: null,
      };
      payer.available -= heldOf(payment);
      payer.pending += heldOf(payment);
      count('payment', payer, day, cents);
      payments.push(payment);
      return 'done';
    },
    confirm(payment: ModelPayment): string {
      const { payee, request, source, link } = payment;
      if (request?.claimedBy) return 'invalid_state';
      if (payee.status !== 'active') end(payment, 'failed', 'payee_not_eligible');
      else if (link?.status === 'removed') end(payment, 'failed', 'linked_account_removed');
      else if (link && link.status !== 'verified') end(payment, 'failed', 'linked_account_failed');
      else if (source === 'balance') complete(payment);
      else {
        become(payment, 'processing', { timeoutMs: clock.nowMs + bankMs });
        if (request && request.amount !== null) request.claimedBy = payment;
      }
      return 'done';
    },
    cancel(payment: ModelPayment): string {
      if (!isOpen(payment)) return 'invalid_state';
      end(payment, 'canceled', null);
      return 'done';
    },
    answer: (payment: ModelPayment, pays: boolean): void =>
      pays ? complete(payment) : fail(payment, 'customer_refused'),
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
    /** The requests of a closing merchant can be paid no more. */
    cancelRequestsOf(merchant: ModelPerson): void {
      for (const request of requests)
        if (request.merchant === merchant && request.status === 'open' && !request.claimedBy)
          endRequest(request);
    },
    *due(): Due {
      for (const request of requests)
        if (request.status === 'open') yield [request.expiresMs, () => become(request, 'expired')];
      for (const payment of payments)
        yield [payment.timeoutMs, () => fail(payment, 'request_expired')];
    },
  };
}
