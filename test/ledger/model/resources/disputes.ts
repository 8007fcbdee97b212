import { earlier, type Instant } from '../../../../engine/time/instant.ts';
import {
  deadlinesOf,
  endOfBusinessDays,
  isOfNewAccount,
  isUnderRegulationE,
  nextMorning,
} from '../../../../service/resources/disputes/regulation_e.ts';
import { easternDay } from '../../../../service/resources/limits/days.ts';
import { reportableAt } from '../../../../service/resources/reconciliation/day.ts';
import { endOfMonth } from '../../../../service/resources/statements/periods.ts';
import {
  become,
  type Due,
  isUnresolved,
  type Ledger,
  type ModelDispute,
  type ModelPayment,
  type ModelPerson,
  type ModelRefund,
} from '../types.ts';

/** The calendar is the service's own, which has its own tests (regulation_e.test.ts). */
const instant = (ms: number) => new Date(ms).toISOString() as Instant;
const businessDaysOfReversal = 5;

interface NewDispute {
  readonly customer: ModelPerson;
  readonly type: 'error' | 'unauthorized_transfer' | 'purchase_dispute';
  /** Null: the notice names nothing. */
  readonly payment: ModelPayment | null;
  readonly receivedMs: number;
}

export type Determination = 'approved' | 'partial' | 'denied' | 'withdrawn';
const outcomes = {
  approved: 'approved',
  partial: 'partially_approved',
  denied: 'denied',
  withdrawn: 'withdrawn',
} as const;

/** The sources of a refund: the dispute's earmark, then what is available; null: not enough. */
export function fundingOf({ dispute }: ModelPayment, merchant: ModelPerson, amount: number) {
  const earmark = Math.min(dispute && isUnresolved(dispute) ? dispute.held : 0, amount);
  const available = amount - earmark;
  return merchant.available >= available ? { earmark, available } : null;
}

/** Gives an open dispute its part back. @returns that part */
export function giveBackEarmark({ earmark }: ModelRefund): number {
  if (!earmark || !isUnresolved(earmark.dispute)) return 0;
  earmark.dispute.held += earmark.cents;
  return earmark.cents;
}

/** What is still disputed; null: unknown. */
const remainingOf = ({ disputed, refundedBefore, counted }: ModelDispute): number | null =>
  disputed === null
    ? null
    : Math.max(disputed - (counted ? counted.refunded - refundedBefore : 0), 0);

/**
 * When the statement is there that first shows a movement: after its month, or at the closing. Without a
 * calendar the last one alone is made.
 */
function statementAt(
  postedAt: Instant,
  closedMs: number | null,
  calendar: boolean,
): Instant | null {
  const last = closedMs === null ? null : instant(closedMs);
  if (!calendar) return last;
  const regular = reportableAt(endOfMonth(easternDay(postedAt)));
  return last === null ? regular : earlier(regular, last);
}

/** The Tenant's clock may be ahead. */
const aheadMs = 300_000;

/** When Regulation E demands a provisional credit; null: it does not apply. */
function creditDeadline(
  { calendar }: Ledger,
  { customer, type, payment, receivedMs }: NewDispute,
): number | null {
  const postedAt: Instant | null =
    payment && payment.completedMs > 0 ? instant(payment.completedMs) : null;
  const isTimed = isUnderRegulationE({
    type,
    receivedAt: instant(receivedMs),
    isIndividual: customer.type === 'individual',
    movement: payment && {
      postedAt,
      statementAt: postedAt && statementAt(postedAt, customer.closedMs, calendar),
      isPaymentByBank: payment.source === 'bank_account',
    },
  });
  if (!isTimed) return null;
  // Everybody's first money came when the account was opened.
  const isNew = isOfNewAccount(postedAt, instant(customer.openedMs));
  return Date.parse(deadlinesOf(instant(receivedMs), isNew).credit);
}

/** Notices, their earmarks and credits, and how they end. */
export function openDisputes(ledger: Ledger) {
  const { disputes, clock } = ledger;

  /** Money for the customer; once the account has closed it goes past the account. */
  function credit(dispute: ModelDispute, amount: number): void {
    const { customer, counted } = dispute;
    dispute.credited = amount;
    dispute.isPastAccount = customer.status === 'closed';
    if (!dispute.isPastAccount) customer.available += amount;
    customer.isNews = true;
    if (counted) counted.credited += amount;
  }

  /** A linked notice resolves and closes with the first. */
  function endWith(linked: ModelDispute, first: ModelDispute): void {
    if (isUnresolved(linked) && !isUnresolved(first))
      become(linked, 'resolved', { outcome: first.outcome, triageMs: null });
    if (linked.status === 'resolved' && first.status === 'closed') become(linked, 'closed');
  }

  const endLinked = (first: ModelDispute): void => {
    for (const linked of disputes) if (linked.linkedTo === first) endWith(linked, first);
  };

  function close(dispute: ModelDispute): void {
    const { customer, counted, credited, award } = dispute;
    const isClosed = customer.status === 'closed';
    const taken = isClosed ? 0 : Math.min(Math.max(credited - award, 0), customer.available);
    customer.available -= taken;
    if (counted) counted.credited -= taken;
    dispute.standing = credited - taken;
    become(dispute, 'closed', { reversalMs: null });
    customer.isNews = true;
  }

  function closeAll(dispute: ModelDispute): void {
    close(dispute);
    endLinked(dispute);
  }

  function resolve(dispute: ModelDispute, outcome: string, award: number): void {
    const { merchant, counted, customer, held, liable } = dispute;
    if (award > dispute.credited) credit(dispute, award);
    if (counted) counted.awarded += award;
    const recovered = liable === 'merchant' ? Math.min(held, award) : 0;
    if (merchant) {
      merchant.earmarked -= held;
      merchant.available += held - recovered;
      merchant.isNews = true;
    }
    const ended = { outcome, award, held: 0, triageMs: null, creditMs: null };
    become(dispute, 'resolved', ended);
    const excess = customer.status === 'closed' ? 0 : dispute.credited - award;
    if (excess > 0)
      dispute.reversalMs = Date.parse(
        endOfBusinessDays(instant(clock.nowMs), businessDaysOfReversal),
      );
    else close(dispute);
    endLinked(dispute);
  }

  /** Refunds cover what is disputed, and nothing of it was credited before. */
  function follow(dispute: ModelDispute): void {
    const { disputed, counted } = dispute;
    if (!isUnresolved(dispute) || !counted || remainingOf(dispute) !== 0) return;
    if (disputed !== 0 || counted.credited === 0) resolve(dispute, 'refunded_by_merchant', 0);
  }

  function giveCredit(dispute: ModelDispute, amount: number): void {
    credit(dispute, amount);
    become(dispute, 'provisional_credit', { provisional: amount, creditMs: null });
  }

  const investigate = (dispute: ModelDispute): void =>
    become(dispute, 'investigating', { triageMs: null });

  /** 09:00 of the deadline day. */
  function runCredit(dispute: ModelDispute): void {
    const remaining = remainingOf(dispute) ?? 0;
    if (remaining === 0) {
      dispute.creditMs = Date.parse(nextMorning(instant(clock.nowMs)));
      return;
    }
    if (dispute.status === 'received') investigate(dispute);
    giveCredit(dispute, remaining);
  }

  function make(order: NewDispute): ModelDispute {
    const { customer, type, payment } = order;
    const before = disputes.filter(
      (one) => payment !== null && one.payment === payment && one.customer === customer,
    );
    const first = before.find(({ linkedTo, status }) => linkedTo === null && status !== 'closed');
    const isPayer = payment?.customer === customer;
    const hasMoved = payment !== null && payment.completedMs > 0;
    const standing = before.reduce((sum, one) => sum + one.standing, 0);
    const fee = isPayer && type !== 'purchase_dispute' ? payment.payerFees : 0;
    const disputed =
      !first && hasMoved ? Math.max(payment.amount + fee - payment.refunded - standing, 0) : null;
    const merchant = !first && isPayer && hasMoved ? payment.payee : null;
    return {
      id: '',
      events: ['created'],
      status: 'received',
      customer,
      payment,
      counted: isPayer && !first ? payment : null,
      merchant,
      linkedTo: first ?? null,
      liable: type === 'purchase_dispute' ? 'merchant' : 'platform',
      disputed,
      refundedBefore: payment?.refunded ?? 0,
      held: merchant ? Math.min(Math.max((disputed ?? 0) - fee, 0), merchant.available) : 0,
      credited: 0,
      isPastAccount: false,
      standing: 0,
      provisional: null,
      award: 0,
      outcome: null,
      triageMs: Date.parse(nextMorning(instant(clock.nowMs))),
      creditMs: null,
      reversalMs: null,
    };
  }

  return {
    create(given: NewDispute): string {
      if (given.receivedMs > clock.nowMs + aheadMs) return 'parameter_invalid';
      const order = { ...given, receivedMs: Math.min(given.receivedMs, clock.nowMs) };
      const { customer, payment } = order;
      if (payment && payment.customer !== customer && payment.payee !== customer)
        return 'not_found';
      const dispute = make(order);
      const { merchant, counted, held, linkedTo } = dispute;
      disputes.push(dispute);
      if (merchant) {
        merchant.available -= held;
        merchant.earmarked += held;
      }
      const timed = linkedTo ?? dispute;
      const deadline = creditDeadline(ledger, order);
      if (deadline !== null && isUnresolved(timed) && timed.provisional === null)
        timed.creditMs = Math.min(timed.creditMs ?? Infinity, deadline);
      if (linkedTo) endWith(dispute, linkedTo);
      if (counted) counted.dispute = dispute;
      if (counted && order.type !== 'purchase_dispute' && counted.payerFees > 0)
        counted.disputedFee = counted.payerFees;
      if (dispute.disputed === 0) follow(dispute);
      return 'done';
    },
    investigate(dispute: ModelDispute): string {
      if (dispute.status !== 'received') return 'invalid_state';
      investigate(dispute);
      return 'done';
    },
    credit(dispute: ModelDispute): string {
      const remaining = remainingOf(dispute) ?? 0;
      if (dispute.status !== 'investigating' || dispute.linkedTo || remaining === 0)
        return 'invalid_state';
      giveCredit(dispute, remaining);
      return 'done';
    },
    determine(dispute: ModelDispute, how: Determination): string {
      const { linkedTo, counted } = dispute;
      if (!isUnresolved(dispute) || linkedTo || (counted?.refunding ?? 0) > 0)
        return 'invalid_state';
      const remaining = remainingOf(dispute);
      const awards = how === 'approved' || how === 'partial';
      if (awards && remaining === null) return 'invalid_state';
      const share = how === 'approved' ? 1 : 0.5;
      const award = awards ? Math.floor((remaining ?? 0) * share) : 0;
      resolve(dispute, outcomes[how], award);
      return 'done';
    },
    /** The five business days are over. */
    finish(dispute: ModelDispute): string {
      if (dispute.status !== 'resolved' || dispute.linkedTo) return 'invalid_state';
      closeAll(dispute);
      return 'done';
    },
    follow,
    /** A closing account waits for its own until they are closed, for others' until they resolve. */
    holdsUp: (person: ModelPerson): boolean =>
      disputes.some(
        (one) =>
          (one.customer === person && one.status !== 'closed') ||
          (one.merchant === person && isUnresolved(one)),
      ),
    *due(): Due {
      for (const dispute of disputes) {
        yield [dispute.triageMs, () => investigate(dispute)];
        yield [dispute.creditMs, () => runCredit(dispute)];
        yield [dispute.reversalMs, () => closeAll(dispute)];
      }
    },
  };
}
