import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database.ts';
import { customers } from '../customers/table.ts';
import { feesOf } from '../payments/fees.ts';
import { payments } from '../payments/table.ts';
import { assertMoveAllowed, type Case, endFees, loadCase } from './case.ts';
import { clearJob, scheduleTriage, setDeadlines } from './deadlines.ts';
import { type NoticeFacts, readNoticeFacts } from './facts.ts';
import { type DisputeKind, type Rule, ruleOf } from './rule.ts';
import { disputes, handledAs, isReasserted } from './table.ts';

/** A reviewer handles a notice as what it is (rules/disputes#62). */
export interface ClassifyInput {
  readonly id: string;
  readonly handled_as: DisputeKind;
}

async function loadClassified(read: Read, id: string) {
  const rows = await loadCase(read, id);
  const { customer_id, movement_id } = rows.dispute;
  const [customer, named, ofMovement] = await Promise.all([
    read.one(customers, customer_id),
    // The payment of a payee's notice too, which is not counted.
    read.maybe(payments, movement_id),
    movement_id === null ? [] : read.set(disputes, 'movement_id', movement_id),
  ]);
  const before = ofMovement.filter((one) => one.customer_id === customer_id && one.id !== id);
  return { ...rows, customer, named, before };
}
type Classified = Awaited<ReturnType<typeof loadClassified>>;

const feeIn = ({ payment }: Case, kind: DisputeKind): number =>
  payment && kind !== 'purchase_dispute' ? feesOf(payment).payerCents : 0;

/**
 * D with the fees of the new kind, or without (rules/disputes#7). What was credited stays as it is, and an amount
 * that a reviewer has set.
 */
function setFees(work: Work, rows: Classified, kind: DisputeKind): void {
  const { dispute, payment } = rows;
  const isKnown = dispute.disputed_cents !== null && payment !== null;
  if (!isKnown || payment.completed_at === null || dispute.credited_cents > 0) return;
  const fee = feeIn(rows, kind);
  const moved = payment.amount + fee - dispute.refunded_before - payment.disputed_cents;
  const disputed_cents = Math.max(moved, 0);
  if (fee === 0) endFees(work, rows);
  else work.change(payment, { disputed_fee_cents: fee });
  if (disputed_cents === dispute.disputed_cents) return;
  work.change(dispute, { disputed_cents });
  work.scheduleJob('dispute_follow', dispute.id, work.now);
}

/** Deadlines from day 0, also where they have passed; none where neither it nor a linked notice has any. */
function setClock(work: Work, rows: Classified, rule: Rule): void {
  const { dispute, linked } = rows;
  if (rule.regulation_e) setDeadlines(work, dispute, rule.deadlines);
  else if (!linked.some(({ regulation_e }) => regulation_e))
    clearJob(work, dispute, 'dispute_credit', 'dispute_result', 'dispute_credit_notice');
  if (dispute.status !== 'received') return;
  if (isReasserted(dispute)) work.cancelJob('dispute_triage', dispute.id);
  else scheduleTriage(work, dispute);
}

/** @throws ApiError invalid_state, also {reason: linked}; parameter_invalid {reason: already_so} */
export function classify(
  work: Work,
  rows: Classified,
  kind: DisputeKind,
  facts: NoticeFacts,
): void {
  const { dispute, customer, named, before } = rows;
  assertMoveAllowed(dispute, 'classify');
  if (kind === handledAs(dispute))
    throw fail('parameter_invalid', { param: 'handled_as', details: { reason: 'already_so' } });
  const rule = ruleOf({
    kind,
    receivedAt: dispute.notice_received_at,
    isIndividual: customer.type === 'individual',
    payment: named,
    facts,
    before,
  });
  const isOpened =
    dispute.status !== 'received' || rows.linked.some(({ regulation_e }) => regulation_e);
  work.move(dispute, 'classify', {
    set: {
      handled_as: kind,
      liability: kind === 'purchase_dispute' ? 'merchant' : 'platform',
      regulation_e: rule.regulation_e,
      notice_late_days: rule.notice_late_days,
      reasserted_of: rule.reasserted_of,
      // An investigation that has begun goes on.
      reopened_at: rule.reasserted_of !== null && isOpened ? work.now : dispute.reopened_at,
    },
  });
  setFees(work, rows, kind);
  setClock(work, rows, rule);
  work.cancelJob('dispute_words', dispute.id);
}

const factsOf = async (db: Kysely<Database>, tenantId: string, id: string) => {
  const found = await db
    .selectFrom('disputes')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .select(['customer_id', 'payment_id', 'transaction_id', 'movement_id', 'counted_payment_id'])
    .executeTakeFirst();
  if (!found) throw fail('not_found');
  const { customer_id, payment_id, transaction_id, movement_id } = found;
  const isOfTransaction = payment_id === null && transaction_id !== null;
  // A Transaction of a payment counts as that payment.
  const paymentId = isOfTransaction && movement_id !== transaction_id ? movement_id : payment_id;
  return readNoticeFacts(db, tenantId, customer_id, paymentId, transaction_id);
};

/** The reviewer's move; its reason is the note, which is kept. */
export const classifyDispute = ({ db }: { readonly db: Kysely<Database> }) =>
  command('classify_dispute', {
    prepare: ({ id }: ClassifyInput, { tenantId }) => factsOf(db, tenantId, id),
    load: (read, { id }) => loadClassified(read, id),
    decide: (work, rows, { handled_as }, facts) => {
      classify(work, rows, handled_as, facts);
      return { record: rows.dispute };
    },
  });

/** `dispute.classified`: an unauthorized transfer; what is handled as one already, as a purchase dispute. */
export const classifyOther = ({ db }: { readonly db: Kysely<Database> }) =>
  command('classify_other', {
    prepare: ({ id }: Pick<ClassifyInput, 'id'>, { tenantId }) => factsOf(db, tenantId, id),
    load: (read, { id }) => loadClassified(read, id),
    decide: (work, rows, _input, facts) => {
      const isTransfer = handledAs(rows.dispute) === 'unauthorized_transfer';
      classify(work, rows, isTransfer ? 'purchase_dispute' : 'unauthorized_transfer', facts);
      return { record: rows.dispute };
    },
  });
