import type { FeeRule, Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Person } from './customers.ts';

/**
 * What the service should do with payments from balance and their requests, written down a second
 * time from contract and decisions (1.1, 1.8, 1.10) and in nothing like the service's own way.
 * Amounts in cents, times in epoch milliseconds.
 */
export interface ModelPerson extends Person {
  available: number;
  pending: number;
  suspended: boolean;
  readonly spentByDay: Map<string, number>;
}

export interface ModelSession {
  id: string;
  live: boolean;
  readonly endsMs: number;
}

export interface ModelRequest {
  id: string;
  qrPayload: string;
  readonly merchant: ModelPerson;
  readonly amount: number | null;
  readonly expiresMs: number | null;
  status: 'open' | 'paid' | 'expired' | 'canceled';
}

export interface ModelPayment {
  id: string;
  readonly payer: ModelPerson;
  readonly payee: ModelPerson;
  readonly amount: number;
  readonly payerFees: number;
  readonly payeeFees: number;
  readonly request: ModelRequest | null;
  readonly day: string;
  session: ModelSession;
  deadlineMs: number | null;
  status: 'requires_confirmation' | 'completed' | 'failed' | 'canceled';
  failureCode: string | null;
}

export interface NewPayment {
  readonly payer: ModelPerson;
  readonly payee: ModelPerson;
  readonly request: ModelRequest | null;
  /** Null: the request's. */
  readonly amount: number | null;
  readonly invoice: boolean;
}

const sessionMs = 900_000;
const easternDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
export const dayOf = (nowMs: number): string => easternDay.format(nowMs);

/** Rounded half up; the payee's fees take no more than the amount, the platform's first. */
function feesOf(rules: readonly FeeRule[], paymentType: string, amount: number) {
  let [payerFees, payeeFees] = [0, 0];
  for (const type of ['platform', 'tenant']) {
    const rule = rules.find((one) => one.type === type && one.payment_type === paymentType);
    if (!rule) continue;
    const cents = Math.floor((amount * rule.basis_points) / 10_000 + rule.fixed + 0.5);
    if (rule.paid_by === 'payer') payerFees += cents;
    else payeeFees += Math.min(cents, amount - payeeFees);
  }
  return { payerFees, payeeFees };
}

/** The first refusal of a new payment, in the order of decisions 1.0; null when it is taken. */
function refusalOf(
  { payer, payee, request, amount, invoice }: NewPayment,
  settings: Settings,
  nowMs: number,
): string | null {
  if (payer.type === 'business' && !invoice) return 'parameter_missing';
  if (payer.suspended) return 'account_restricted';
  if (payee.type !== 'business' || payee === payer || payee.suspended) return 'payee_not_eligible';
  if (request?.status === 'canceled') return 'payment_request_invalid';
  if (request && (request.expiresMs ?? Infinity) <= nowMs) return 'payment_request_expired';
  if (request?.status === 'expired') return 'payment_request_expired';
  if (request?.status === 'paid') return 'payment_request_paid';
  const cents = amount ?? request?.amount ?? 0;
  if (request?.amount && cents > request.amount) return 'amount_mismatch';
  const maximum = settings.limits.payment_per_transaction[payer.type] ?? Infinity;
  const daily = settings.limits.payment_daily[payer.type] ?? Infinity;
  const spent = payer.spentByDay.get(dayOf(nowMs)) ?? 0;
  if (cents > maximum || spent + cents > daily) return 'limit_exceeded';
  const paymentType = payer.type === 'business' ? 'merchant_to_merchant' : 'consumer_to_merchant';
  const { payerFees } = feesOf(settings.fees, paymentType, cents);
  return payer.available < cents + payerFees ? 'insufficient_funds' : null;
}

/** The book of one tenant. Each move gives the code of the refusal, or `done` after its effect. */
export function openModel(settings: Settings, people: readonly ModelPerson[]) {
  const payments: ModelPayment[] = [];
  const requests: ModelRequest[] = [];
  const isOpen = ({ status }: ModelPayment) => status === 'requires_confirmation';

  function end(payment: ModelPayment, status: 'failed' | 'canceled', failureCode: string | null) {
    const { payer, amount, payerFees, day } = payment;
    payer.pending -= amount + payerFees;
    payer.available += amount + payerFees;
    payer.spentByDay.set(day, (payer.spentByDay.get(day) ?? 0) - amount);
    Object.assign(payment, { status, failureCode, deadlineMs: null });
    payment.session.live = false;
  }

  function endOthers(request: ModelRequest): void {
    for (const other of payments.filter((one) => one.request === request && isOpen(one))) {
      if (request.status === 'paid') end(other, 'failed', 'payment_request_paid');
      else end(other, 'canceled', null);
    }
  }

  function complete(payment: ModelPayment): void {
    const { payer, payee, amount, payerFees, payeeFees, request } = payment;
    payer.pending -= amount + payerFees;
    payee.available += amount - payeeFees;
    payment.status = 'completed';
    payment.session.live = false;
    if (request?.amount == null) return;
    request.status = 'paid';
    endOthers(request);
  }

  /** A session ended without a decision: the record goes with it, or waits for the grace. */
  function wait(payment: ModelPayment, nowMs: number): void {
    payment.session.live = false;
    const graceMs = settings.confirmation_grace_seconds * 1000;
    if (graceMs === 0) end(payment, 'canceled', null);
    else payment.deadlineMs = nowMs + graceMs;
  }

  const dueMs = (payment: ModelPayment): number => {
    if (!isOpen(payment)) return Infinity;
    return payment.session.live ? payment.session.endsMs : (payment.deadlineMs ?? Infinity);
  };
  const expiryMs = ({ status, expiresMs }: ModelRequest): number =>
    status === 'open' ? (expiresMs ?? Infinity) : Infinity;

  return {
    settings,
    people,
    payments,
    requests,
    create(order: NewPayment, nowMs: number): string {
      const refusal = refusalOf(order, settings, nowMs);
      if (refusal) return refusal;
      const { payer, payee, request } = order;
      const amount = order.amount ?? request?.amount ?? 0;
      const type = payer.type === 'business' ? 'merchant_to_merchant' : 'consumer_to_merchant';
      const fees = feesOf(settings.fees, type, amount);
      const day = dayOf(nowMs);
      payer.available -= amount + fees.payerFees;
      payer.pending += amount + fees.payerFees;
      payer.spentByDay.set(day, (payer.spentByDay.get(day) ?? 0) + amount);
      const session = { id: '', live: true, endsMs: nowMs + sessionMs };
      const began = { id: '', deadlineMs: null, failureCode: null, session, day } as const;
      const status = 'requires_confirmation';
      payments.push({ ...began, ...fees, payer, payee, request, amount, status });
      return 'done';
    },
    confirm(payment: ModelPayment): string {
      if (!payment.session.live) return 'invalid_state';
      if (payment.payee.suspended) end(payment, 'failed', 'payee_not_eligible');
      else complete(payment);
      return 'done';
    },
    cancel(payment: ModelPayment): string {
      if (!isOpen(payment)) return 'invalid_state';
      end(payment, 'canceled', null);
      return 'done';
    },
    decline(payment: ModelPayment): string {
      if (!payment.session.live) return 'invalid_state';
      end(payment, 'canceled', 'confirmation_declined');
      return 'done';
    },
    /** The customer leaves, or the session's end is reached. */
    leave(payment: ModelPayment, nowMs: number): string {
      if (!payment.session.live) return 'invalid_state';
      wait(payment, nowMs);
      return 'done';
    },
    openSession(payment: ModelPayment, nowMs: number): string {
      if (!isOpen(payment)) return 'invalid_state';
      payment.session = { id: '', live: true, endsMs: nowMs + sessionMs };
      payment.deadlineMs = null;
      return 'done';
    },
    ask(request: Omit<ModelRequest, 'id' | 'qrPayload' | 'status'>): string {
      const { merchant } = request;
      if (merchant.type !== 'business' || merchant.suspended) return 'payee_not_eligible';
      requests.push({ ...request, id: '', qrPayload: '', status: 'open' });
      return 'done';
    },
    cancelRequest(request: ModelRequest): string {
      if (request.status !== 'open') return 'invalid_state';
      request.status = 'canceled';
      endOthers(request);
      return 'done';
    },
    expireRequest(request: ModelRequest): string {
      if (request.status !== 'open' || request.amount === null) return 'invalid_state';
      request.status = 'expired';
      return 'done';
    },
    /** When time next changes anything. */
    nextDueMs: (): number => Math.min(...payments.map(dueMs), ...requests.map(expiryMs), Infinity),
    /** What falls due at this very instant. */
    runDue(nowMs: number): void {
      for (const request of requests) if (expiryMs(request) <= nowMs) request.status = 'expired';
      for (const payment of payments) {
        if (dueMs(payment) > nowMs) continue;
        if (payment.session.live) wait(payment, nowMs);
        else end(payment, 'canceled', null);
      }
    },
  };
}

export type Model = ReturnType<typeof openModel>;
