import { earlier, type Instant } from '../../../../engine/time/instant.ts';
import {
  deadlinesOf,
  isOfNewAccount,
  isUnderRegulationE,
} from '../../../../service/resources/disputes/regulation_e.ts';
import { addDays, easternDay } from '../../../../service/resources/limits/days.ts';
import { reportableAt } from '../../../../service/resources/reconciliation/day.ts';
import { endOfMonth } from '../../../../service/resources/statements/periods.ts';
import {
  isUnresolved,
  type Ledger,
  type ModelDispute,
  type ModelPayment,
  type ModelPerson,
  type ModelRefund,
} from '../types.ts';

/** The calendar is the service's own, which has its own tests (regulation_e.test.ts). */
export const instant = (ms: number) => new Date(ms).toISOString() as Instant;
export const businessDaysOfReversal = 5;

export interface NewDispute {
  readonly customer: ModelPerson;
  readonly type: 'error' | 'unauthorized_transfer' | 'purchase_dispute';
  /** Null: the notice names nothing. */
  readonly payment: ModelPayment | null;
  readonly receivedMs: number;
}

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
export const aheadMs = 300_000;

/**
 * When Regulation E demands a provisional credit; null: it does not apply.
 * @param isNews no statement makes it late
 */
export function creditDeadline(
  { calendar }: Ledger,
  { customer, type, payment, receivedMs }: NewDispute,
  isNews: boolean,
): number | null {
  const postedAt: Instant | null =
    payment && payment.completedMs > 0 ? instant(payment.completedMs) : null;
  const isTimed = isUnderRegulationE({
    type,
    receivedAt: instant(receivedMs),
    isIndividual: customer.type === 'individual',
    movement: payment && {
      postedAt,
      statementAt: isNews ? null : postedAt && statementAt(postedAt, customer.closedMs, calendar),
      isPaymentByBank: payment.source === 'bank_account',
    },
  });
  if (!isTimed) return null;
  // Everybody's first money came when the account was opened.
  const isNew = isOfNewAccount(postedAt, instant(customer.openedMs));
  return Date.parse(deadlinesOf(instant(receivedMs), isNew).credit);
}

/** The law covers such a notice, however late it comes. */
export const isCovered = ({ customer, type, payment }: NewDispute): boolean =>
  customer.type === 'individual' &&
  type !== 'purchase_dispute' &&
  payment?.source !== 'bank_account';

const answers: readonly (string | null)[] = ['approved', 'partially_approved', 'denied'];

/** Calendar days within which documents that were given can be answered. */
const papersDays = 60;

/**
 * The same was noticed and answered before. In time after its documents were given it is news again.
 * @param before the customer's other notices of the payment
 */
export function answerBefore(order: NewDispute, before: readonly ModelDispute[]) {
  const last = before.findLast(
    ({ handledAs, linkedTo, status, outcome }) =>
      handledAs === order.type &&
      linkedTo === null &&
      status === 'closed' &&
      answers.includes(outcome),
  );
  if (!last || !isCovered(order)) return { answered: false, isNews: false };
  const { papersMs } = last;
  const lastDay = papersMs === null ? '' : addDays(easternDay(instant(papersMs)), papersDays);
  const isNews =
    papersMs !== null &&
    order.receivedMs >= papersMs &&
    easternDay(instant(order.receivedMs)) <= lastDay;
  return { answered: !isNews, isNews };
}

/** Whether it was answered before, and nobody has opened it again. */
export const isReasserted = ({ answered, reopened }: ModelDispute): boolean =>
  answered && !reopened;

/** The fee that the payer bore of a payment beside its amount, where the kind gives it back. */
export const feeIn = (payment: ModelPayment | null, type: NewDispute['type']): number =>
  payment && type !== 'purchase_dispute' ? payment.payerFees : 0;

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

export type Determination = 'approved' | 'partial' | 'denied' | 'withdrawn';
export const outcomes = {
  approved: 'approved',
  partial: 'partially_approved',
  denied: 'denied',
  withdrawn: 'withdrawn',
} as const;

/** The amount still disputed; null: unknown. */
export const remainingOf = ({ disputed, refundedBefore, counted }: ModelDispute): number | null =>
  disputed === null
    ? null
    : Math.max(disputed - (counted ? counted.refunded - refundedBefore : 0), 0);

/** The customer's other notices of the same payment. */
export const noticesBefore = (
  { disputes }: Ledger,
  { customer, payment }: NewDispute,
  dispute: ModelDispute,
): ModelDispute[] =>
  disputes.filter(
    (one) => one !== dispute && payment && one.payment === payment && one.customer === customer,
  );

export const deadlineOf = (
  ledger: Ledger,
  order: NewDispute,
  dispute: ModelDispute,
): number | null =>
  creditDeadline(ledger, order, answerBefore(order, noticesBefore(ledger, order, dispute)).isNews);

/** The kind that a simulated classification gives it: an unauthorized transfer, or of one a purchase dispute. */
export const otherKind = ({ handledAs }: ModelDispute): NewDispute['type'] =>
  handledAs === 'unauthorized_transfer' ? 'purchase_dispute' : 'unauthorized_transfer';

/** The customer is given the documents of the answer: it may be noticed anew. */
export function givePapers(dispute: ModelDispute, nowMs: number): string {
  if (isUnresolved(dispute) || dispute.linkedTo) return 'invalid_state';
  dispute.papersMs = nowMs;
  return 'done';
}

/** Why it came late is accepted: no clock begins by it. */
export function acceptDelay(dispute: ModelDispute): string {
  const { handledAs: type, linkedTo } = dispute;
  const isLimited = type === 'unauthorized_transfer' && isCovered({ ...dispute, type });
  return isUnresolved(dispute) && !linkedTo && isLimited ? 'done' : 'invalid_state';
}
