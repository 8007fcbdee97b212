import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
import { confirmLoad, endLoad, loadConfirmation as loadLoad } from '../resources/loads/moves.ts';
import { confirmPayment, endPayment, loadConfirmation } from '../resources/payments/moves.ts';
import { confirmRefund, failRefund, loadRefund } from '../resources/refunds/moves.ts';
import {
  confirmWithdrawal,
  endWithdrawal,
  loadConfirmation as loadWithdrawal,
} from '../resources/withdrawals/moves.ts';

/** A record that waits for its customer, with what may happen to it. */
export interface Confirmable {
  /** As the wire and the table call it. */
  readonly status: () => string;
  /** The status in which it waits for its customer. */
  readonly openStatus: string;
  readonly customerId: string;
  readonly sessionId: string | null;
  /** What it moves: a passkey's answer is bound to it. */
  readonly amountCents: number;
  readonly confirm: (work: Work) => void;
  readonly decline: (work: Work) => void;
  /** Its deadline passed unconfirmed. */
  readonly expire: (work: Work) => void;
  /** Another session stands for it now. */
  readonly attach: (work: Work, sessionId: string) => void;
}

async function payment(read: Read, id: string): Promise<Confirmable> {
  const rows = await loadConfirmation(read, id);
  // The session that ends is moved by whoever runs the flow, so the record does not end it again.
  const ending = { ...rows, session: null };
  return {
    status: () => rows.payment.status,
    openStatus: 'requires_confirmation',
    customerId: rows.payment.payer_customer_id,
    sessionId: rows.payment.session_id,
    amountCents: rows.payment.amount,
    confirm: (work) => confirmPayment(work, rows),
    decline: (work) => endPayment(work, ending, 'decline', 'confirmation_declined'),
    expire: (work) => endPayment(work, ending, 'expire', null),
    attach: (work, sessionId) => {
      work.change(rows.payment, { session_id: sessionId });
      work.cancelJob('payment_deadline', rows.payment.id);
    },
  };
}

async function load(read: Read, id: string): Promise<Confirmable> {
  const rows = await loadLoad(read, id);
  const ending = { ...rows, session: null };
  return {
    status: () => rows.load.status,
    openStatus: 'requires_confirmation',
    customerId: rows.load.customer_id,
    sessionId: rows.load.session_id,
    amountCents: rows.load.amount,
    confirm: (work) => confirmLoad(work, rows),
    decline: (work) => endLoad(work, ending, 'decline', 'confirmation_declined'),
    expire: (work) => endLoad(work, ending, 'expire', 'confirmation_expired'),
    attach: (work, sessionId) => {
      work.change(rows.load, { session_id: sessionId });
      work.cancelJob('load_deadline', rows.load.id);
    },
  };
}

async function withdrawal(read: Read, id: string): Promise<Confirmable> {
  const rows = await loadWithdrawal(read, id);
  const ending = { ...rows, session: null };
  return {
    status: () => rows.withdrawal.status,
    openStatus: 'requires_confirmation',
    customerId: rows.withdrawal.customer_id,
    sessionId: rows.withdrawal.session_id,
    amountCents: rows.withdrawal.amount,
    confirm: (work) => confirmWithdrawal(work, rows),
    decline: (work) => endWithdrawal(work, ending, 'decline', 'confirmation_declined'),
    expire: (work) => endWithdrawal(work, ending, 'expire', 'confirmation_expired'),
    attach: (work, sessionId) => {
      work.change(rows.withdrawal, { session_id: sessionId });
      work.cancelJob('withdrawal_deadline', rows.withdrawal.id);
    },
  };
}

async function refund(read: Read, id: string): Promise<Confirmable> {
  const rows = await loadRefund(read, id);
  const ending = { ...rows, session: null };
  return {
    status: () => rows.refund.status,
    openStatus: 'requested',
    customerId: rows.refund.merchant_customer_id,
    sessionId: rows.refund.session_id,
    amountCents: rows.refund.amount,
    confirm: (work) => confirmRefund(work, rows),
    decline: (work) => failRefund(work, ending, 'decline', 'confirmation_declined'),
    expire: (work) => failRefund(work, ending, 'expire', 'confirmation_expired'),
    attach: (work, sessionId) => {
      work.change(rows.refund, { session_id: sessionId });
      work.cancelJob('refund_deadline', rows.refund.id);
    },
  };
}

/** What can be confirmed (contract: Target). */
const confirmables: Readonly<Record<TargetType, (read: Read, id: string) => Promise<Confirmable>>> =
  { payment, load, withdrawal, refund };

/** It waits for its customer. */
export const isOpen = (target: Confirmable): boolean => target.status() === target.openStatus;

/** The job that ends an unconfirmed record after its grace, by target. */
export const deadlineJob = (type: TargetType): string => `${type}_deadline`;

/** @throws ApiError not_found when this tenant has no such record */
export async function readTarget(read: Read, type: TargetType, id: string): Promise<Confirmable> {
  return confirmables[type](read, id);
}
