// Made from contract/ by `npm run emit`. Do not edit.

import type {
  Account,
  Customer,
  Dispute,
  DocumentAcceptance,
  LinkedAccount,
  Load,
  Owner,
  Payment,
  PaymentRequest,
  ReconciliationReport,
  Refund,
  Session,
  Statement,
  Transaction,
  Withdrawal,
} from './records.ts';

/** The record that each type of event carries as `data.object`. */
export interface EventRecords {
  'customer.created': Customer;
  'customer.pending': Customer;
  'customer.approved': Customer;
  'customer.rejected': Customer;
  'customer.in_review': Customer;
  'customer.updated': Customer;
  'owner.invited': Owner;
  'owner.pending': Owner;
  'owner.in_review': Owner;
  'owner.approved': Owner;
  'owner.rejected': Owner;
  'document_acceptance.accepted': DocumentAcceptance;
  'document_acceptance.pending_acceptance': DocumentAcceptance;
  'document_acceptance.superseded': DocumentAcceptance;
  'session.completed': Session;
  'session.canceled': Session;
  'session.expired': Session;
  'linked_account.created': LinkedAccount;
  'linked_account.verified': LinkedAccount;
  'linked_account.failed': LinkedAccount;
  'linked_account.held_for_review': LinkedAccount;
  'linked_account.updated': LinkedAccount;
  'linked_account.removed': LinkedAccount;
  'account.created': Account;
  'account.suspended': Account;
  'account.reactivated': Account;
  'account.dormant': Account;
  'account.closing': Account;
  'account.closed': Account;
  'transaction.created': Transaction;
  'transaction.posted': Transaction;
  'transaction.reversed': Transaction;
  'load.created': Load;
  'load.processing': Load;
  'load.failed': Load;
  'load.settled': Load;
  'payment_request.created': PaymentRequest;
  'payment_request.paid': PaymentRequest;
  'payment_request.expired': PaymentRequest;
  'payment_request.canceled': PaymentRequest;
  'payment.created': Payment;
  'payment.completed': Payment;
  'payment.processing': Payment;
  'payment.failed': Payment;
  'payment.canceled': Payment;
  'payment.partially_refunded': Payment;
  'payment.refunded': Payment;
  'withdrawal.created': Withdrawal;
  'withdrawal.processing': Withdrawal;
  'withdrawal.failed': Withdrawal;
  'withdrawal.settled': Withdrawal;
  'refund.created': Refund;
  'refund.processing': Refund;
  'refund.pending_funds': Refund;
  'refund.failed': Refund;
  'refund.completed': Refund;
  'statement.available': Statement;
  'reconciliation_report.available': ReconciliationReport;
  'dispute.created': Dispute;
  'dispute.investigating': Dispute;
  'dispute.updated': Dispute;
  'dispute.provisional_credit': Dispute;
  'dispute.resolved': Dispute;
  'dispute.closed': Dispute;
}

/** Every type of event. */
export type EventType = keyof EventRecords;

/** Every code of an error of the service. */
export type ErrorCode =
  | 'parameter_missing'
  | 'parameter_invalid'
  | 'idempotency_key_missing'
  | 'invalid_client'
  | 'authentication_required'
  | 'flow_not_enabled'
  | 'sandbox_only'
  | 'not_found'
  | 'duplicate_external_ref'
  | 'duplicate_mobile_number'
  | 'linked_account_exists'
  | 'invalid_state'
  | 'session_invalid'
  | 'result_token_invalid'
  | 'customer_not_verified'
  | 'account_restricted'
  | 'link_token_mismatch'
  | 'linked_account_required'
  | 'capability_unavailable'
  | 'withdrawal_hold'
  | 'payee_not_eligible'
  | 'payment_request_invalid'
  | 'payment_request_expired'
  | 'payment_request_paid'
  | 'amount_mismatch'
  | 'refund_window_closed'
  | 'refund_exceeds_payment'
  | 'limit_exceeded'
  | 'insufficient_funds'
  | 'rate_limited'
  | 'internal_error'
  | 'forbidden'
  | 'step_up_required';

/** Every event that `sandbox.simulate` takes. */
export type SimulateName =
  | 'customer.pending'
  | 'customer.approved'
  | 'customer.rejected'
  | 'customer.in_review'
  | 'owner.pending'
  | 'owner.in_review'
  | 'owner.approved'
  | 'owner.rejected'
  | 'document_acceptance.pending_acceptance'
  | 'session.completed'
  | 'session.canceled'
  | 'session.expired'
  | 'linked_account.verified'
  | 'linked_account.failed'
  | 'linked_account.held_for_review'
  | 'linked_account.hold_released'
  | 'linked_account.needs_login'
  | 'linked_account.login_restored'
  | 'account.suspended'
  | 'account.reactivated'
  | 'account.dormant'
  | 'account.closed'
  | 'load.settled'
  | 'load.failed'
  | 'payment_request.expired'
  | 'payment.completed'
  | 'payment.failed'
  | 'withdrawal.settled'
  | 'withdrawal.failed'
  | 'refund.completed'
  | 'refund.failed'
  | 'dispute.investigating'
  | 'dispute.reopened'
  | 'dispute.classified'
  | 'dispute.provisional_credit'
  | 'dispute.resolved_approved'
  | 'dispute.resolved_partial'
  | 'dispute.resolved_denied'
  | 'dispute.resolved_withdrawn'
  | 'dispute.closed'
  | 'customer.pin_locked'
  | 'load.paid_late'
  | 'withdrawal.returned'
  | 'statement.available'
  | 'bank.money_received'
  | 'bank.return_requested';

/** Every limit that `limit_exceeded` names. */
export type LimitKey =
  | 'load_per_transaction'
  | 'load_daily'
  | 'load_30_day'
  | 'payment_per_transaction'
  | 'payment_daily'
  | 'withdrawal_per_transaction'
  | 'withdrawal_daily'
  | 'balance_maximum';
