// Made from contract/ by `npm run emit`. Do not edit.

/** A page of a list. Read all pages with `for await (const item of client.….list(…))`. */
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  /** For `cursor` of the next call; null on the last page. */
  next_cursor: string | null;
}

/** An individual (consumer) or a business (merchant). */
export interface Customer {
  /** Customer identifier */
  id: string;
  object: 'customer';
  type: 'individual' | 'business' | (string & {});
  /** The Tenant's reference, unique within the Tenant */
  external_ref: string;
  /** The address as supplied or as changed in the contact_change flow */
  email: string;
  /** Last four digits of the verified mobile number */
  mobile_number_last4: string;
  business: BusinessProfile | null;
  verification: Verification;
  /** Present once the customer is approved */
  account_id: string | null;
  /** True while the PIN is locked after failed attempts */
  pin_locked: boolean;
  onboarding_session: ConfirmationSession | null;
  /** Creation time */
  created_at: string;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** Data that only business customers have. */
export interface BusinessProfile {
  /** Present once captured on the hosted screen */
  legal_name: string | null;
  /** Shown to payers */
  trading_name: string | null;
  /** From the program's industry list, by its key */
  industry: string | null;
  owners_status: 'not_started' | 'pending' | 'complete' | (string & {});
}

/** The state of a customer's identity verification. */
export interface Verification {
  status: 'created' | 'pending' | 'in_review' | 'approved' | 'rejected' | (string & {});
  /** Last change of the verification */
  updated_at: string;
  /** For rejected customers, when a new application may start */
  retry_available_at: string | null;
}

/** A hosted session in the reply that created its record, and nowhere else. */
export interface ConfirmationSession {
  /** Session identifier */
  id: string;
  flow: 'onboarding' | 'payment_confirm' | 'pin_reset' | 'contact_change' | 'terms_acceptance' | (string & {});
  /** Single-use token for the SDK; must not be logged */
  token: string | null;
  /** End of the time in which the token can be opened */
  expires_at: string;
}

/** A person who owns or controls a business customer. */
export interface Owner {
  /** Owner identifier */
  id: string;
  object: 'owner';
  /** Business customer */
  customer_id: string;
  /** The name as entered by the merchant */
  name: string;
  role: 'owner' | 'control_person' | 'owner_and_control_person' | (string & {});
  /** For owners */
  ownership_percent: number | null;
  verification_status: 'invited' | 'pending' | 'in_review' | 'approved' | 'rejected' | (string & {});
  /** When a verification link was sent */
  invited_at: string | null;
  /** Last change */
  updated_at: string;
}

/** One version of a document that a customer has accepted or is asked to accept. */
export interface DocumentAcceptance {
  /** Acceptance identifier */
  id: string;
  object: 'document_acceptance';
  /** Customer */
  customer_id: string;
  document_type: 'digital_account_terms' | 'esign_consent' | 'privacy_notice' | 'cip_notice' | 'merchant_services_agreement' | 'acceptable_use_policy' | (string & {});
  /** Document version accepted */
  version: string;
  /** pending_acceptance: a new version awaits acceptance in the terms_acceptance flow */
  status: 'accepted' | 'superseded' | 'pending_acceptance' | (string & {});
  /** Acceptance time */
  accepted_at: string | null;
  /** Hosted flow in which it was accepted */
  channel: 'onboarding' | 'payment_confirm' | 'pin_reset' | 'contact_change' | 'terms_acceptance' | (string & {}) | null;
}

/** A hosted flow that a customer goes through once. */
export interface Session {
  /** Session identifier */
  id: string;
  object: 'session';
  flow: 'onboarding' | 'payment_confirm' | 'pin_reset' | 'contact_change' | 'terms_acceptance' | (string & {});
  /** Customer who goes through the flow */
  customer_id: string;
  target: Target | null;
  status: 'created' | 'completed' | 'canceled' | 'expired' | (string & {});
  /** Returned only when the session is created */
  token: string | null;
  return_url: string | null;
  /** End of the time in which the token can be opened */
  expires_at: string;
  /** Creation time */
  created_at: string;
}

/** The record that a payment_confirm flow confirms. */
export interface Target {
  type: 'payment' | 'load' | 'withdrawal' | 'refund' | (string & {});
  /** Record to confirm */
  id: string;
}

/** How a customer left a hosted flow. */
export interface SessionOutcome {
  object: 'session_outcome';
  /** Session identifier */
  session_id: string;
  flow: 'onboarding' | 'payment_confirm' | 'pin_reset' | 'contact_change' | 'terms_acceptance' | (string & {});
  /** How the customer left the flow */
  status: 'completed' | 'canceled' | 'expired' | (string & {});
  /** Customer */
  customer_id: string;
  /** For onboarding, the verification status when the flow ended */
  verification_status: 'created' | 'pending' | 'in_review' | 'approved' | 'rejected' | (string & {}) | null;
  target: Target | null;
  target_status: string | null;
  terms_decision: 'accepted' | 'declined' | (string & {}) | null;
}

/** Opens the aggregator's linking widget. */
export interface LinkToken {
  object: 'link_token';
  /** Token that opens the aggregator's linking widget */
  link_token: string;
  /** End of the time in which the widget can be opened */
  expiration: string;
}

/** A customer's bank account. */
export interface LinkedAccount {
  /** Linked account identifier */
  id: string;
  object: 'linked_account';
  /** Customer */
  customer_id: string;
  status: 'pending' | 'held_for_review' | 'verified' | 'failed' | 'removed' | (string & {});
  institution_name: string;
  account_type: 'checking' | 'savings' | (string & {});
  /** Last four digits */
  account_mask: string;
  capabilities: Capabilities;
  /** Withdrawals to a newly linked account are held until this time */
  withdrawal_hold_until: string | null;
  /** Reason for a failed link */
  failure_code: 'owner_mismatch' | 'ownership_unverified' | 'unsupported_account_type' | 'rtp_not_supported' | 'duplicate_account' | 'institution_error' | 'consent_revoked' | 'account_closed' | 'account_blocked' | 'review_rejected' | (string & {}) | null;
  /** Creation time */
  created_at: string;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
  /** The time from which the customer must sign in at the bank again; null: they have; absent: they never had to */
  needs_login_at?: string | null;
}

/** Abilities of the linked bank; all false until verified. */
export interface Capabilities {
  /** Bank can receive RTP credit transfers */
  withdrawal: boolean;
  /** Bank can receive a Request for Payment */
  load: boolean;
  /** Same capability applied to pay by bank */
  pay_by_bank: boolean;
}

/** A Digital Account in US dollars. */
export interface Account {
  /** Account identifier */
  id: string;
  object: 'account';
  /** Holder */
  customer_id: string;
  type: 'consumer' | 'merchant' | (string & {});
  status: 'active' | 'suspended' | 'dormant' | 'closing' | 'closed' | (string & {});
  currency: 'USD';
  /** Opening time */
  opened_at: string;
  /** Closing time */
  closed_at: string | null;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
}

/** The balance of an account at one instant. */
export interface Balance {
  object: 'balance';
  /** Account */
  account_id: string;
  currency: 'USD';
  /** Cents, total */
  ledger: number;
  /** Cents; ledger less earmarked and pending_outgoing */
  available: number;
  /** Cents reserved for open refunds or disputes */
  earmarked: number;
  /** Cents reserved for payments and withdrawals in progress */
  pending_outgoing: number;
  /** Time of reading */
  as_of: string;
}

/** A movement of a Digital Account. */
export interface Transaction {
  /** Transaction identifier */
  id: string;
  object: 'transaction';
  /** Account */
  account_id: string;
  type: 'load' | 'payment_sent' | 'payment_received' | 'withdrawal' | 'refund_sent' | 'refund_received' | 'dispute_credit' | 'dispute_reversal' | 'adjustment' | (string & {});
  direction: 'credit' | 'debit' | (string & {});
  /** Gross cents */
  amount: number;
  /** Cents deducted from this account */
  fee_amount: number;
  /** Cents after fees */
  net_amount: number;
  currency: 'USD';
  status: 'pending' | 'posted' | 'reversed' | (string & {});
  counterparty: Counterparty | null;
  source_type: 'load' | 'payment' | 'withdrawal' | 'refund' | 'dispute' | 'adjustment' | (string & {});
  /** Identifier of the record of source_type */
  source_id: string;
  description: string | null;
  /** Creation time */
  created_at: string;
  /** Posting time */
  posted_at: string | null;
}

/** The other side of a transaction. */
export interface Counterparty {
  type: 'consumer' | 'merchant' | 'bank_account' | (string & {});
  /** For consumers and merchants of the same Tenant */
  customer_id: string | null;
  display_name: string;
}

/** The movements of an account in one period. */
export interface Statement {
  /** Statement identifier */
  id: string;
  object: 'statement';
  /** Account */
  account_id: string;
  /** First day, in Eastern Time */
  period_start: string;
  /** Last day, in Eastern Time */
  period_end: string;
  /** Integer cents */
  opening_balance: number;
  /** Integer cents */
  closing_balance: number;
  currency: 'USD';
  /** Time-limited address of the PDF, with `?language=es` in Spanish; request the statement again for a fresh one */
  download_url: string;
  /** In real time */
  download_url_expires_at: string;
  /** Time of the statement */
  available_at: string;
}

/** From the linked bank account to the Digital Account. */
export interface Load {
  /** Load identifier */
  id: string;
  object: 'load';
  /** Customer */
  customer_id: string;
  /** Account credited */
  account_id: string;
  /** Bank account the Request for Payment is sent to */
  linked_account_id: string;
  /** Integer cents */
  amount: number;
  currency: 'USD';
  status: 'requires_confirmation' | 'processing' | 'settled' | 'failed' | (string & {});
  failure_code: 'account_closed' | 'account_blocked' | 'invalid_account_number' | 'invalid_account_type' | 'invalid_routing_number' | 'account_holder_deceased' | 'transaction_forbidden' | 'transaction_not_supported' | 'amount_exceeds_bank_limit' | 'amount_mismatch' | 'order_rejected' | 'bank_timeout' | 'bank_unavailable' | 'rejected_other' | 'processing_error' | 'insufficient_funds_at_bank' | 'customer_refused' | 'customer_opted_out' | 'request_expired' | 'confirmation_expired' | 'confirmation_declined' | 'account_restricted' | 'linked_account_removed' | 'linked_account_failed' | (string & {}) | null;
  confirmation_session: ConfirmationSession | null;
  /** Creation time */
  created_at: string;
  /** Customer confirmed */
  confirmed_at: string | null;
  /** Funds credited */
  settled_at: string | null;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** A signed request to pay, for a QR code or a link. */
export interface PaymentRequest {
  /** Payment request identifier */
  id: string;
  object: 'payment_request';
  /** dynamic carries an amount and is paid once; static identifies a collection point */
  type: 'dynamic' | 'static' | (string & {});
  /** Merchant */
  merchant_customer_id: string;
  /** Integer cents */
  amount: number | null;
  currency: 'USD';
  order_reference: string | null;
  collection_point: CollectionPoint | null;
  /** A static request stays open until it is canceled */
  status: 'open' | 'paid' | 'expired' | 'canceled' | (string & {});
  /** Signed by the service, to be encoded in a QR code or a payment link */
  qr_payload: string;
  /** Expiry of a dynamic request */
  expires_at: string | null;
  /** Payment that paid a dynamic request */
  paid_payment_id: string | null;
  /** Creation time */
  created_at: string;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** A store, counter or machine at which payers enter the amount. */
export interface CollectionPoint {
  /** The Tenant's reference for the store, counter or machine */
  reference: string;
  /** Shown to the payer on the confirmation screen */
  name: string;
}

/** From a payer to a merchant, from the balance or by bank. */
export interface Payment {
  /** Payment identifier */
  id: string;
  object: 'payment';
  type: 'consumer_to_merchant' | 'merchant_to_merchant' | (string & {});
  source: 'balance' | 'bank_account' | (string & {});
  /** Payer */
  payer_customer_id: string;
  /** Merchant */
  payee_customer_id: string;
  /** Set when the payment came from a QR code or link */
  payment_request_id: string | null;
  /** Integer cents */
  amount: number;
  currency: 'USD';
  fees: Fee[];
  /** Cents credited to the merchant after fees */
  net_amount: number;
  /** Integer cents */
  refunded_amount: number;
  status: 'requires_confirmation' | 'processing' | 'completed' | 'failed' | 'canceled' | 'refunded' | 'partially_refunded' | (string & {});
  failure_code: string | null;
  order_reference: string | null;
  invoice_reference: string | null;
  /** Shown to both parties */
  description: string | null;
  confirmation_session: ConfirmationSession | null;
  /** Creation time */
  created_at: string;
  /** Payer confirmed */
  confirmed_at: string | null;
  /** Merchant credited */
  completed_at: string | null;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** A fee of a payment, fixed when it was created. */
export interface Fee {
  type: 'platform' | 'tenant' | (string & {});
  /** Integer cents */
  amount: number;
  /** The party whose amount the fee is taken from */
  paid_by: 'payer' | 'payee' | (string & {});
}

/** From the Digital Account to the customer's own bank account. */
export interface Withdrawal {
  /** Withdrawal identifier */
  id: string;
  object: 'withdrawal';
  /** Customer */
  customer_id: string;
  /** Account debited */
  account_id: string;
  /** Bank account credited */
  linked_account_id: string;
  /** Integer cents */
  amount: number;
  currency: 'USD';
  status: 'requires_confirmation' | 'processing' | 'settled' | 'failed' | (string & {});
  /** A failed withdrawal releases the reserved amount */
  failure_code: 'account_closed' | 'account_blocked' | 'invalid_account_number' | 'invalid_account_type' | 'invalid_routing_number' | 'account_holder_deceased' | 'transaction_forbidden' | 'transaction_not_supported' | 'amount_exceeds_bank_limit' | 'amount_mismatch' | 'order_rejected' | 'bank_timeout' | 'bank_unavailable' | 'rejected_other' | 'processing_error' | 'unknown_customer' | 'confirmation_expired' | 'confirmation_declined' | 'account_restricted' | 'linked_account_failed' | (string & {}) | null;
  confirmation_session: ConfirmationSession | null;
  /** Creation time */
  created_at: string;
  /** Customer confirmed */
  confirmed_at: string | null;
  /** Transfer final */
  settled_at: string | null;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** From a merchant back to the payer of a payment. */
export interface Refund {
  /** Refund identifier */
  id: string;
  object: 'refund';
  /** Payment refunded */
  payment_id: string;
  /** Merchant issuing the refund */
  merchant_customer_id: string;
  /** Customer refunded */
  payer_customer_id: string;
  /** Integer cents */
  amount: number;
  currency: 'USD';
  reason: 'requested_by_customer' | 'duplicate' | 'goods_not_received' | 'other' | (string & {});
  /** balance: the customer's Digital Account; bank_account: the customer's linked account */
  destination: 'balance' | 'bank_account' | (string & {});
  status: 'requested' | 'pending_funds' | 'processing' | 'completed' | 'failed' | (string & {});
  failure_code: 'account_closed' | 'account_blocked' | 'invalid_account_number' | 'invalid_account_type' | 'invalid_routing_number' | 'account_holder_deceased' | 'transaction_forbidden' | 'transaction_not_supported' | 'amount_exceeds_bank_limit' | 'amount_mismatch' | 'order_rejected' | 'bank_timeout' | 'bank_unavailable' | 'rejected_other' | 'processing_error' | 'unknown_customer' | 'confirmation_expired' | 'confirmation_declined' | 'account_restricted' | 'insufficient_funds' | 'dispute_credited' | 'payer_account_closed' | 'destination_unavailable' | (string & {}) | null;
  confirmation_session: ConfirmationSession | null;
  /** Creation time */
  created_at: string;
  /** Refund applied */
  completed_at: string | null;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** A customer's notice of an error, an unauthorized transfer or a bad purchase. */
export interface Dispute {
  /** Dispute identifier */
  id: string;
  object: 'dispute';
  /** Customer who gave notice */
  customer_id: string;
  type: 'error' | 'unauthorized_transfer' | 'purchase_dispute' | (string & {});
  /** Payment in dispute */
  payment_id: string | null;
  /** Transaction in dispute, where there is no payment */
  transaction_id: string | null;
  /** The customer's words as given */
  description: string;
  /** The notice is handled under Regulation E error resolution */
  regulation_e: boolean;
  /** When the customer first gave notice */
  notice_received_at: string;
  status: 'received' | 'investigating' | 'provisional_credit' | 'resolved' | 'closed' | (string & {});
  /** Integer cents */
  provisional_credit_amount: number | null;
  /** Result of the investigation */
  outcome: 'approved' | 'partially_approved' | 'denied' | 'refunded_by_merchant' | 'withdrawn' | (string & {}) | null;
  /** Determination */
  resolved_at: string | null;
  /** Creation time */
  created_at: string;
  /** Last change */
  updated_at: string;
  /** Rises by one on every change */
  version: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
  /** The type that a reviewer has the notice handled as; absent: its `type` */
  handled_as?: 'error' | 'unauthorized_transfer' | 'purchase_dispute' | (string & {}) | null;
  /** The same was notified and answered before: no deadline and no automatic credit, unless a reviewer opens it again or handles it as another kind (false); absent: it was not */
  reasserted?: boolean | null;
}

/** The state of the delivery of an event. */
export interface Delivery {
  status: 'pending' | 'delivered' | 'retrying' | 'failed' | (string & {});
  attempts: number;
  /** Last attempt */
  last_attempt_at: string | null;
  /** HTTP status the Tenant returned on the last attempt */
  last_response_status: number | null;
  /** While retrying */
  next_attempt_at: string | null;
}

export interface Recovery {
  dry_run: boolean;
  /** Events that are sent again, or that would be */
  events: number;
  /** There were more: call again */
  has_more: boolean;
}

/** One business day of the Tenant's customers, in Eastern Time. */
export interface ReconciliationReport {
  object: 'reconciliation_report';
  /** Business date in Eastern Time */
  date: string;
  account_structure: 'dedicated_fbo' | 'tenant_scheme' | (string & {});
  currency: 'USD';
  /** Cents; sum of the Tenant's customer balances at the start of the day */
  opening_balance: number;
  /** Cents; the same at its end */
  closing_balance: number;
  totals: ReconTotals;
  /** Cents; swept from fee clearing to operating accounts */
  fee_clearing_swept: number;
  /** Postings in the file */
  postings_count: number;
  file: FileLink;
  /** Time of the report */
  generated_at: string;
}

/** The movements of one business day, in cents. */
export interface ReconTotals {
  /** Cents; credited */
  loads: number;
  /** Cents; gross, between Digital Accounts and by bank */
  payments: number;
  /** Cents; payouts of closing accounts too */
  withdrawals: number;
  /** Cents; to balances and to banks */
  refunds: number;
  /** Cents; posted to the fee clearing position */
  fees: number;
  /** Cents; dispute credits, reversals and other adjustments; below zero where taken */
  adjustments: number;
}

/** A file with a time-limited download address. */
export interface FileLink {
  format: 'csv' | (string & {});
  /** Time-limited address of the file; request the report again for a fresh one */
  download_url: string;
  /** In real time */
  expires_at: string;
}

/** The simulated event and its record. */
export interface SimulationResult {
  object: 'simulation';
  /** Simulated event */
  event: string;
  /** Record acted on */
  object_id: string;
  status: 'accepted' | (string & {});
}
