// Made from contract/ by `npm run emit`. Do not edit.

/** The body of `customers.create`. */
export interface CustomerCreateParams {
  type: 'individual' | 'business';
  /** The Tenant's reference, unique within the Tenant */
  external_ref: string;
  email: string;
  /** US number in E.164 */
  mobile_number: string;
  /** first_name and last_name for an individual, legal_name for a business */
  prefill?: {
    first_name?: string;
    last_name?: string;
    legal_name?: string;
  } | null;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `customers.list`. */
export interface CustomerListParams {
  /** The Tenant's reference; required where nothing else is given */
  external_ref?: string;
  status?: 'created' | 'pending' | 'in_review' | 'approved' | 'rejected';
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The body of `customers.close`. */
export interface CustomerCloseParams {
  reason: 'customer_request' | 'tenant_request';
}

/** The body of `sessions.create`. */
export interface SessionCreateParams {
  flow: 'onboarding' | 'payment_confirm' | 'pin_reset' | 'contact_change' | 'terms_acceptance';
  /** Customer who goes through the flow */
  customer_id: string;
  target?: TargetInput | null;
  /** Registered return address */
  return_url?: string | null;
}

/** The body of `sessions.exchange`. */
export interface SessionExchangeParams {
  /** From the SDK */
  result_token: string;
}

/** The body of `linkTokens.create`. */
export interface LinkTokenCreateParams {
  platform: 'web' | 'ios' | 'android';
  /** Required for web; the Tenant's registered bank-linking return page */
  redirect_uri?: string | null;
  /** A verified linked account whose customer signs in at the bank again */
  linked_account_id?: string;
  /** Language in which the widget opens */
  locale?: 'en' | 'es';
  /** The application's name on Android, to which the bank returns */
  android_package?: string;
}

/** The body of `linkedAccounts.create`. */
export interface LinkedAccountCreateParams {
  /** From the aggregator */
  public_token: string;
  /** Account selected when the customer had several */
  aggregator_account_id?: string | null;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `linkedAccounts.listAll`. */
export interface LinkedAccountListAllParams {
  status?: 'pending' | 'held_for_review' | 'verified' | 'failed' | 'removed';
  /** Only those of this customer, on either side */
  customer_id?: string;
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The query of `accounts.list`. */
export interface AccountListParams {
  /** Holder */
  customer_id: string;
}

/** The query of `accounts.listTransactions`. */
export interface AccountListTransactionsParams {
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  type?: 'load' | 'payment_sent' | 'payment_received' | 'withdrawal' | 'refund_sent' | 'refund_received' | 'dispute_credit' | 'dispute_reversal' | 'adjustment';
  limit?: number;
  cursor?: string;
}

/** The query of `accounts.listStatements`. */
export interface AccountListStatementsParams {
  limit?: number;
  cursor?: string;
}

/** The body of `loads.create`. */
export interface LoadCreateParams {
  /** Customer */
  customer_id: string;
  /** Integer cents, at least 100: less is `parameter_invalid`, reason `below_minimum` */
  amount: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `loads.list`. */
export interface LoadListParams {
  status?: 'requires_confirmation' | 'processing' | 'settled' | 'failed';
  /** Only those of this customer, on either side */
  customer_id?: string;
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The body of `paymentRequests.create`. */
export interface PaymentRequestCreateParams {
  type: 'dynamic' | 'static';
  /** Merchant */
  merchant_customer_id: string;
  /** Integer cents, at least 1 */
  amount?: number | null;
  order_reference?: string | null;
  collection_point?: CollectionPointInput | null;
  /** Seconds, for a dynamic request; default from the Tenant configuration */
  expires_in?: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `paymentRequests.list`. */
export interface PaymentRequestListParams {
  status?: 'open' | 'paid' | 'expired' | 'canceled';
  /** Only those of this customer, on either side */
  customer_id?: string;
  /** Only with this order_reference */
  order_reference?: string;
  /** Only of the collection point with this reference */
  collection_point_reference?: string;
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The body of `payments.create`. */
export interface PaymentCreateParams {
  /** Payer */
  payer_customer_id: string;
  /** Merchant; give this or qr_payload */
  payee_customer_id?: string | null;
  /** From a QR code or payment link */
  qr_payload?: string | null;
  /** Integer cents, at least 1 */
  amount?: number | null;
  /** bank_account is pay by bank */
  source: 'balance' | 'bank_account';
  order_reference?: string | null;
  invoice_reference?: string | null;
  /** Shown to both parties */
  description?: string | null;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `payments.list`. */
export interface PaymentListParams {
  status?: 'requires_confirmation' | 'processing' | 'completed' | 'failed' | 'canceled' | 'refunded' | 'partially_refunded';
  /** Only those of this customer, on either side */
  customer_id?: string;
  /** Only with this order_reference */
  order_reference?: string;
  /** Only with this invoice_reference */
  invoice_reference?: string;
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The body of `withdrawals.create`. */
export interface WithdrawalCreateParams {
  /** Customer */
  customer_id: string;
  /** Integer cents, at least 100: less is `parameter_invalid`, reason `below_minimum` */
  amount: number;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `withdrawals.list`. */
export interface WithdrawalListParams {
  status?: 'requires_confirmation' | 'processing' | 'settled' | 'failed';
  /** Only those of this customer, on either side */
  customer_id?: string;
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The body of `refunds.create`. */
export interface RefundCreateParams {
  /** A completed payment */
  payment_id: string;
  /** Integer cents, at least 1 */
  amount: number;
  reason: 'requested_by_customer' | 'duplicate' | 'goods_not_received' | 'other';
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `refunds.list`. */
export interface RefundListParams {
  status?: 'requested' | 'pending_funds' | 'processing' | 'completed' | 'failed';
  /** Only those of this customer, on either side */
  customer_id?: string;
  /** Earliest creation time, inclusive */
  from?: string;
  /** Latest creation time, inclusive */
  to?: string;
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The body of `disputes.create`. */
export interface DisputeCreateParams {
  /** Customer who gave notice */
  customer_id: string;
  type: 'error' | 'unauthorized_transfer' | 'purchase_dispute';
  /** Payment in dispute */
  payment_id?: string | null;
  /** Transaction, where there is no payment */
  transaction_id?: string | null;
  /** The customer's words as given */
  description: string;
  /** When the customer gave notice, to the Tenant or to the service */
  notice_received_at: string;
  /** Own references, never interpreted: up to 20 keys of 40 characters, values of 500; only on records that were created with it */
  metadata?: Record<string, string>;
}

/** The query of `disputes.list`. */
export interface DisputeListParams {
  /** Customer who gave notice */
  customer_id?: string;
  status?: 'received' | 'investigating' | 'provisional_credit' | 'resolved' | 'closed';
  /** Only records with all these own values. In the address each is a parameter `metadata[key]=value` */
  metadata?: Record<string, string>;
  limit?: number;
  cursor?: string;
}

/** The query of `reports.getReconciliation`. */
export interface ReportGetReconciliationParams {
  /** Business date in Eastern Time */
  date: string;
}

/** The query of `webhookEvents.list`. */
export interface WebhookEventListParams {
  /** Exact event type */
  type?: 'customer.created' | 'customer.pending' | 'customer.approved' | 'customer.rejected' | 'customer.in_review' | 'customer.updated' | 'owner.invited' | 'owner.pending' | 'owner.in_review' | 'owner.approved' | 'owner.rejected' | 'document_acceptance.accepted' | 'document_acceptance.pending_acceptance' | 'document_acceptance.superseded' | 'session.completed' | 'session.canceled' | 'session.expired' | 'linked_account.created' | 'linked_account.verified' | 'linked_account.failed' | 'linked_account.held_for_review' | 'linked_account.updated' | 'linked_account.removed' | 'account.created' | 'account.suspended' | 'account.reactivated' | 'account.dormant' | 'account.closing' | 'account.closed' | 'transaction.created' | 'transaction.posted' | 'transaction.reversed' | 'load.created' | 'load.processing' | 'load.failed' | 'load.settled' | 'payment_request.created' | 'payment_request.paid' | 'payment_request.expired' | 'payment_request.canceled' | 'payment.created' | 'payment.completed' | 'payment.processing' | 'payment.failed' | 'payment.canceled' | 'payment.partially_refunded' | 'payment.refunded' | 'withdrawal.created' | 'withdrawal.processing' | 'withdrawal.failed' | 'withdrawal.settled' | 'refund.created' | 'refund.processing' | 'refund.pending_funds' | 'refund.failed' | 'refund.completed' | 'statement.available' | 'reconciliation_report.available' | 'dispute.created' | 'dispute.investigating' | 'dispute.updated' | 'dispute.provisional_credit' | 'dispute.resolved' | 'dispute.closed';
  delivery_status?: 'pending' | 'delivered' | 'retrying' | 'failed';
  /** Earliest event time, inclusive */
  from?: string;
  limit?: number;
  cursor?: string;
}

/** The body of `webhookEvents.recover`. */
export interface WebhookEventRecoverParams {
  /** Not before, on the Tenant's clock; at most 30 days ago */
  since: string;
  /** Before, on the Tenant's clock */
  until?: string;
  /** Exact event type */
  type?: 'customer.created' | 'customer.pending' | 'customer.approved' | 'customer.rejected' | 'customer.in_review' | 'customer.updated' | 'owner.invited' | 'owner.pending' | 'owner.in_review' | 'owner.approved' | 'owner.rejected' | 'document_acceptance.accepted' | 'document_acceptance.pending_acceptance' | 'document_acceptance.superseded' | 'session.completed' | 'session.canceled' | 'session.expired' | 'linked_account.created' | 'linked_account.verified' | 'linked_account.failed' | 'linked_account.held_for_review' | 'linked_account.updated' | 'linked_account.removed' | 'account.created' | 'account.suspended' | 'account.reactivated' | 'account.dormant' | 'account.closing' | 'account.closed' | 'transaction.created' | 'transaction.posted' | 'transaction.reversed' | 'load.created' | 'load.processing' | 'load.failed' | 'load.settled' | 'payment_request.created' | 'payment_request.paid' | 'payment_request.expired' | 'payment_request.canceled' | 'payment.created' | 'payment.completed' | 'payment.processing' | 'payment.failed' | 'payment.canceled' | 'payment.partially_refunded' | 'payment.refunded' | 'withdrawal.created' | 'withdrawal.processing' | 'withdrawal.failed' | 'withdrawal.settled' | 'refund.created' | 'refund.processing' | 'refund.pending_funds' | 'refund.failed' | 'refund.completed' | 'statement.available' | 'reconciliation_report.available' | 'dispute.created' | 'dispute.investigating' | 'dispute.updated' | 'dispute.provisional_credit' | 'dispute.resolved' | 'dispute.closed';
  /** `failed` (the default): events with a failed attempt, also while they are retried; `never_sent`: events never sent, as no endpoint was enabled */
  missed?: 'failed' | 'never_sent';
  /** Only count; default false */
  dry_run?: boolean;
}

/** The body of `sandbox.simulate`. */
export interface SandboxSimulateParams {
  /** Record to act on */
  object_id: string;
  /** For failure events, the code to apply */
  failure_code?: string | null;
  /** Integer cents, at least 1 */
  amount?: number;
  /** For money that came: what its sender wrote. The id of an order names it */
  remittance?: string;
}

/** The record that a payment_confirm flow confirms. */
export interface TargetInput {
  type: 'payment' | 'load' | 'withdrawal' | 'refund';
  /** Record to confirm */
  id: string;
}

/** A store, counter or machine at which payers enter the amount. */
export interface CollectionPointInput {
  /** The Tenant's reference for the store, counter or machine */
  reference: string;
  /** Shown to the payer on the confirmation screen */
  name: string;
}
