import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { sumOf } from '@tenant-payments/contract/core/money.ts';
import type { createDispute as contract } from '@tenant-payments/contract/resources/disputes.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { atMost, epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database.ts';
import { orderIdOfCall } from '../../rails/order_id.ts';
import { type AccountRow, accounts } from '../accounts/table.ts';
import { type CustomerRow, customers } from '../customers/table.ts';
import { storedMetadata } from '../metadata.ts';
import { feesOf } from '../payments/fees.ts';
import { type PaymentRow, payments } from '../payments/table.ts';
import { rowNow } from '../row_now.ts';
import { cameBackOf, type Moved, readReturning } from './came_back.ts';
import { scheduleTriage, setDeadlines } from './deadlines.ts';
import { type NoticeFacts, readNoticeFacts } from './facts.ts';
import { writeAtReceipt } from './letters.ts';
import { type Rule, ruleOf } from './rule.ts';
import { type DisputeRow, disputes, isReasserted, isUnresolved } from './table.ts';
import { contradictionOf } from './words.ts';

type Input = BodyOf<typeof contract>;

const uuidOrNull = (kind: 'payment' | 'transaction', id: string | null | undefined) =>
  id === null || id === undefined ? null : uuidOf(kind, id);

/** The payment that the notice names, directly or by one of its Transactions. */
function paymentIdOf(input: Input, { transaction }: NoticeFacts): string | null {
  if ((input.payment_id ?? null) !== null) return uuidOrNull('payment', input.payment_id);
  return transaction?.sourceType === 'payment' ? transaction.sourceId : null;
}

/** The withdrawal or load whose Transaction the notice names. */
function movedBy({ transaction }: NoticeFacts): Moved | null {
  if (!transaction) return null;
  const { sourceType: type, sourceId: id } = transaction;
  return type === 'withdrawal' || type === 'load' ? { type, id } : null;
}

const loadOf = (moved: Moved | null): string | null => (moved?.type === 'load' ? moved.id : null);

async function loadNotice(read: Read, input: Input, facts: NoticeFacts) {
  const customer = await read.maybe(customers, uuidOf('customer', input.customer_id));
  const payment = await read.maybe(payments, paymentIdOf(input, facts));
  const movementId = payment?.id ?? facts.transaction?.id ?? null;
  const isPayer = payment !== null && payment.payer_customer_id === customer?.id;
  const payeeId = isPayer ? payment.payee_account_id : null;
  const [returning, account, payee, balance, before, orderId] = await Promise.all([
    readReturning(read, movedBy(facts)),
    read.maybe(accounts, customer?.account_id ?? null),
    read.maybe(accounts, payeeId),
    read.maybe(balances, payeeId),
    movementId === null ? [] : read.set(disputes, 'movement_id', movementId),
    orderIdOfCall(read, disputes),
  ]);
  const own = before.filter(({ customer_id }) => customer_id === customer?.id);
  const parties = { customer, payment, isPayer, account, payee, balance };
  return { ...parties, returning, before: own, orderId };
}
type Notice = Awaited<ReturnType<typeof loadNotice>>;

/** The merchant who has the money of a completed payment (rules/disputes#13). */
const merchantOf = ({ payment, payee }: Notice): AccountRow | null =>
  (payment?.completed_at ?? null) === null ? null : payee;

const earliest = '2000-01-01T00:00:00.000Z';

/**
 * When the notice was received, not before the year 2000 and not after now.
 * @throws ApiError parameter_invalid {reason: not_an_instant, in_the_future}
 */
function noticeTimeOf(work: Work, { notice_received_at }: Input): Instant {
  const invalid = (reason: string, message?: string) =>
    fail('parameter_invalid', {
      param: 'notice_received_at',
      details: { reason },
      ...(message && { message }),
    });
  const ms = epochMs(notice_received_at);
  if (Number.isNaN(ms)) throw invalid('not_an_instant');
  const atMs = atMost(Math.max(ms, epochMs(earliest)), epochMs(work.now));
  if (atMs === null)
    throw invalid(
      'in_the_future',
      `notice_received_at is more than 5 minutes after the Tenant's clock, which says ${work.now}`,
    );
  return instantOf(atMs);
}

/**
 * The customer, who must be a party to what the notice names (rules/disputes#4).
 * @throws ApiError parameter_invalid: payment and transaction are of different movements; not_found
 */
function assertParty(notice: Notice, input: Input, { transaction }: NoticeFacts): CustomerRow {
  const { customer, payment } = notice;
  const missing = (param: string) => fail('not_found', { param });
  const namesPayment = (input.payment_id ?? null) !== null;
  const isOfPayment = transaction?.sourceType === 'payment' && transaction.sourceId === payment?.id;
  if (namesPayment && payment && transaction && !isOfPayment)
    throw fail('parameter_invalid', {
      param: 'transaction_id',
      details: { reason: 'of_another_movement' },
    });
  if (!customer) throw missing('customer_id');
  const parties = payment ? [payment.payer_customer_id, payment.payee_customer_id] : [];
  if (namesPayment && !parties.includes(customer.id)) throw missing('payment_id');
  if ((input.transaction_id ?? null) !== null && !transaction) throw missing('transaction_id');
  return customer;
}

/** The payer's fees, which an error or unauthorized transfer took too; a bad purchase did not (rules/disputes#7). */
const feeOf = ({ payment, isPayer }: Notice, { type }: Input): number =>
  payment && isPayer && type !== 'purchase_dispute' ? feesOf(payment).payerCents : 0;

/**
 * D: what the movement moved, less what came back and credits; null: not known (rules/disputes#7).
 * @param fee what of the movement's fees is disputed with it
 */
function disputedOf(
  { payment, returning, before }: Notice,
  { transaction }: NoticeFacts,
  fee: number,
): number | null {
  const credited = sumOf(before, (one) => one.credited_cents - one.taken_back_cents);
  const { reversedAt, cents } = cameBackOf(returning);
  const moved = payment
    ? movedOf(payment, fee)
    : transaction && reversedAt === null
      ? transaction.amount - cents
      : null;
  return moved === null ? null : Math.max(moved - credited, 0);
}

/** The amount that a payment moved, in cents; null: it was never completed, and a reviewer must set D. */
const movedOf = (
  { completed_at, amount, refunded_amount }: PaymentRow,
  fee: number,
): number | null => (completed_at === null ? null : amount + fee - refunded_amount);

/**
 * A closing account reads what it waits for as a set. Whoever adds to that set also changes the
 * account's row, so that a closing at the same time is decided again (rules/closing#7).
 */
function markAddition(work: Work, account: AccountRow | null): void {
  if (account?.status === 'closing') work.touch(account);
}

/** The values of every new dispute. */
const initialValues = {
  handled_as: null,
  reopened_at: null,
  papers_given_at: null,
  extenuating_at: null,
  customer_bears_cents: null,
  liability_tier: null,
  provisional_credit_amount: null,
  outcome: null,
  finding: null,
  resolved_at: null,
  linked_notices: 0,
  amount_by_staff: false,
  recovered_cents: 0,
  released_cents: 0,
  credited_cents: 0,
  award_cents: null,
  taken_back_cents: 0,
  credit_route: null,
  credit_link_id: null,
  credit_due_at: null,
  result_due_at: null,
  credit_notice_due_at: null,
  correction_due_at: null,
  result_notice_due_at: null,
  reversal_due_at: null,
} as const;

/** Links a second notice to the first, which takes over an earlier deadline. */
function linkToFirst(work: Work, first: DisputeRow, linked: DisputeRow, rule: Rule) {
  // Changed, so that a determination that did not see this notice is decided again.
  work.change(first, { linked_notices: first.linked_notices + 1 });
  if (!isUnresolved(first)) work.scheduleJob('dispute_follow', linked.id, work.now);
  else if (rule.regulation_e) {
    if (isReasserted(first)) openAgain(work, first);
    setDeadlines(work, first, rule.deadlines);
  }
}

/** A notice with a clock is linked to one that was filed again: both are investigated (rules/disputes#60). */
function openAgain(work: Work, first: DisputeRow): void {
  work.change(first, { reopened_at: work.now });
  scheduleTriage(work, first);
}

/** The posting of an earmark; nothing is set aside of nobody. */
function heldOf(merchant: AccountRow | null, held: number) {
  if (!merchant || held === 0) return {};
  const parties = { merchant: merchant.id };
  return { post: { recipe: 'dispute_held', parties, amounts: { held } } } as const;
}

/** Begins the case of a notice that is not linked. */
function startCase(work: Work, notice: Notice, made: DisputeRow, rule: Rule, fee: number) {
  const { payment, account } = notice;
  if (made.counted_payment_id !== null && payment)
    work.change(payment, {
      dispute_id: made.id,
      disputed_fee_cents: fee > 0 ? fee : payment.disputed_fee_cents,
    });
  if (rule.regulation_e) setDeadlines(work, made, rule.deadlines);
  for (const holder of [account, merchantOf(notice)]) markAddition(work, holder);
  // Everything was refunded before the notice.
  if (made.disputed_cents === 0) work.scheduleJob('dispute_follow', made.id, work.now);
}

/**
 * POST /v1/disputes: 201, received. A second notice of the same customer and movement is linked to
 * the first while that is not closed (rules/disputes#35).
 */
export const createDispute = ({ db }: { readonly db: Kysely<Database> }) =>
  command('create_dispute', {
    prepare: (input: Input, { tenantId }) =>
      readNoticeFacts(
        db,
        tenantId,
        uuidOf('customer', input.customer_id),
        uuidOrNull('payment', input.payment_id),
        uuidOrNull('transaction', input.transaction_id),
      ),
    load: loadNotice,
    decide: (work, notice, input, facts) => {
      const receivedAt = noticeTimeOf(work, input);
      const customer = assertParty(notice, input, facts);
      const { payment, isPayer, returning, balance, before } = notice;
      const account = rowNow(customer.account_id, notice.account);
      const merchant = merchantOf(notice);
      const first = before.find(
        ({ linked_to, status }) => linked_to === null && status !== 'closed',
      );
      const rule = ruleOf({
        kind: input.type,
        receivedAt,
        isIndividual: customer.type === 'individual',
        payment,
        facts,
        before,
      });
      const fee = feeOf(notice, input);
      const disputed = first ? null : disputedOf(notice, facts, fee);
      // The merchant never had the payer's fees. What was answered before sets no money aside.
      const received = Math.max((disputed ?? 0) - fee, 0);
      const isFirst = !first && rule.reasserted_of === null;
      const earmarked = isFirst && merchant ? Math.min(received, balance?.available ?? 0) : 0;
      const values = {
        ...initialValues,
        id: work.newId(),
        customer_id: customer.id,
        account_id: account?.id ?? null,
        type: input.type,
        payment_id: uuidOrNull('payment', input.payment_id),
        transaction_id: uuidOrNull('transaction', input.transaction_id),
        description: input.description,
        regulation_e: rule.regulation_e,
        notice_received_at: receivedAt,
        notice_late_days: rule.notice_late_days,
        reasserted_of: rule.reasserted_of,
        movement_id: payment?.id ?? facts.transaction?.id ?? null,
        counted_payment_id: isPayer && !first ? (payment?.id ?? null) : null,
        merchant_account_id: first ? null : (merchant?.id ?? null),
        disputed_load_id: loadOf(movedBy(facts)),
        linked_to: first?.id ?? null,
        liability: input.type === 'purchase_dispute' ? 'merchant' : 'platform',
        disputed_cents: disputed,
        refunded_before: payment?.refunded_amount ?? cameBackOf(returning).cents,
        earmarked_cents: earmarked,
        held_cents: earmarked,
        bank_order_id: notice.orderId,
        metadata: storedMetadata(input.metadata),
        created_at: work.now,
      } as const;
      const record = work.create(disputes, values, 'create', heldOf(merchant, earmarked));
      if (!isReasserted(record)) scheduleTriage(work, record);
      if (contradictionOf(record, customer)) work.scheduleJob('dispute_words', record.id, work.now);
      if (first) linkToFirst(work, first, record, rule);
      else {
        startCase(work, notice, record, rule, fee);
        writeAtReceipt(work, record);
      }
      return { record };
    },
  });
