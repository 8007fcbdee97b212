import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { customers } from '../resources/customers/table.ts';
import { confirmLoad, endLoad, loadConfirmation as readLoad } from '../resources/loads/moves.ts';
import type { LoadRow } from '../resources/loads/table.ts';
import {
  confirmPayment,
  endPayment,
  loadConfirmation as readPayment,
} from '../resources/payments/moves.ts';
import type { PaymentRow } from '../resources/payments/table.ts';
import { confirmRefund, failRefund, loadRefund as readRefund } from '../resources/refunds/moves.ts';
import type { RefundRow } from '../resources/refunds/table.ts';
import {
  completeSession,
  movedByFlow,
  type NamedSession,
  namedNow,
} from '../resources/sessions/open.ts';
import { type SessionRow, sessions } from '../resources/sessions/table.ts';
import {
  confirmWithdrawal,
  endWithdrawal,
  loadConfirmation as readWithdrawal,
} from '../resources/withdrawals/moves.ts';
import type { WithdrawalRow } from '../resources/withdrawals/table.ts';

/** A record that its customer confirms in a session (rules/sessions#2), with its possible ends. */
export interface Target {
  readonly type: TargetType;
  /** The record; its `status` follows the moves of this command. */
  readonly row: PaymentRow | LoadRow | WithdrawalRow | RefundRow;
  readonly customerId: string;
  /** The session that was opened for it last, as far as the command's load knew. */
  readonly session: NamedSession;
  /** The status in which it can be confirmed. */
  readonly openStatus: string;
  readonly confirm: (work: Work) => void;
  readonly decline: (work: Work) => void;
  /** Its deadline passed unconfirmed. */
  readonly expire: (work: Work) => void;
}

/** The reads of one type of record, and the meaning of confirming, declining and expiring for it. */
interface Rules<Rows> {
  readonly read: (read: Read, id: string) => Promise<Rows>;
  readonly row: (rows: Rows) => Target['row'];
  readonly customerId: (rows: Rows) => string;
  readonly openStatus: string;
  readonly confirm: (work: Work, rows: Rows) => unknown;
  readonly decline: (work: Work, rows: Rows) => unknown;
  readonly expire: (work: Work, rows: Rows) => unknown;
}

const reader =
  <Rows extends { readonly session: NamedSession }>(type: TargetType, rules: Rules<Rows>) =>
  async (read: Read, id: string): Promise<Target> => {
    const rows = await rules.read(read, id);
    const ending = movedByFlow(rows);
    return {
      type,
      row: rules.row(rows),
      customerId: rules.customerId(rows),
      session: rows.session,
      openStatus: rules.openStatus,
      confirm: (work) => void rules.confirm(work, rows),
      decline: (work) => void rules.decline(work, ending),
      expire: (work) => void rules.expire(work, ending),
    };
  };

const readers: Readonly<Record<TargetType, ReturnType<typeof reader>>> = {
  payment: reader('payment', {
    read: readPayment,
    row: ({ payment }) => payment,
    customerId: ({ payment }) => payment.payer_customer_id,
    openStatus: 'requires_confirmation',
    confirm: confirmPayment,
    decline: (work, rows) => endPayment(work, rows, 'decline', 'confirmation_declined'),
    expire: (work, rows) => endPayment(work, rows, 'expire', null),
  }),
  load: reader('load', {
    read: readLoad,
    row: ({ load }) => load,
    customerId: ({ load }) => load.customer_id,
    openStatus: 'requires_confirmation',
    confirm: confirmLoad,
    decline: (work, rows) => endLoad(work, rows, 'decline', 'confirmation_declined'),
    expire: (work, rows) => endLoad(work, rows, 'expire', 'confirmation_expired'),
  }),
  withdrawal: reader('withdrawal', {
    read: readWithdrawal,
    row: ({ withdrawal }) => withdrawal,
    customerId: ({ withdrawal }) => withdrawal.customer_id,
    openStatus: 'requires_confirmation',
    confirm: confirmWithdrawal,
    decline: (work, rows) => endWithdrawal(work, rows, 'decline', 'confirmation_declined'),
    expire: (work, rows) => endWithdrawal(work, rows, 'expire', 'confirmation_expired'),
  }),
  refund: reader('refund', {
    read: readRefund,
    row: ({ refund }) => refund,
    customerId: ({ refund }) => refund.merchant_customer_id,
    openStatus: 'requested',
    confirm: confirmRefund,
    decline: (work, rows) => failRefund(work, rows, 'decline', 'confirmation_declined'),
    expire: (work, rows) => failRefund(work, rows, 'expire', 'confirmation_expired'),
  }),
};

/** @throws ApiError not_found when this tenant has no such record */
export const readTarget = (read: Read, type: TargetType, id: string): Promise<Target> =>
  readers[type](read, id);

/** A session with the record that it confirms, if any. */
export interface SessionRows {
  readonly session: SessionRow;
  readonly target: Target | null;
  /** The record, else the customer: its status is told when the flow has ended (rules/sessions#26). */
  readonly subject: { readonly status: string };
}

export async function readSession(read: Read, id: string): Promise<SessionRows> {
  const session = await read.one(sessions, id);
  const { target_type, target_id, customer_id } = session;
  const target = target_type && target_id ? await readTarget(read, target_type, target_id) : null;
  return { session, target, subject: target?.row ?? (await read.one(customers, customer_id)) };
}

/** The session that was opened last for a record, also by a command before this one in the batch. @throws LoadAgain */
export const sessionOf = ({ row, session }: Target): SessionRow | null =>
  namedNow(row.session_id, session);

/** Whether it can still be confirmed. */
export const isOpen = ({ row, openStatus }: Target): boolean => row.status === openStatus;

/** @throws ApiError invalid_state */
export function assertOpenTarget(target: Target): void {
  if (isOpen(target)) return;
  throw fail('invalid_state', {
    details: { current_status: target.row.status, allowed: [target.openStatus] },
  });
}

/** @throws ApiError invalid_state when the session has ended */
export function assertLive({ status }: SessionRow): void {
  if (status === 'created') return;
  throw fail('invalid_state', { details: { current_status: status, allowed: ['created'] } });
}

/**
 * The customer confirms, by a PIN or passkey that was right: the record moves and the session
 * completes in one transaction. A check that ends the record completes the session too.
 * @throws ApiError invalid_state: session over, record not open, or its request claimed
 */
export function confirm(work: Work, session: SessionRow, target: Target): void {
  assertLive(session);
  assertOpenTarget(target);
  target.confirm(work);
  completeSession(work, session, target.row.status);
}
