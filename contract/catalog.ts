import type { Static, TSchema } from 'typebox';
import type { EndpointDefinition } from './core/endpoint.ts';
import type { EventType, Resource } from './lifecycles.ts';
import {
  Account,
  getAccount,
  getBalance,
  getTransaction,
  listAccounts,
  listTransactions,
  Transaction,
} from './resources/accounts.ts';
import {
  Customer,
  closeCustomer,
  createCustomer,
  getCustomer,
  listCustomers,
} from './resources/customers.ts';
import { createDispute, Dispute, getDispute, listDisputes } from './resources/disputes.ts';
import { DocumentAcceptance, listDocuments } from './resources/documents.ts';
import {
  createLinkedAccount,
  createLinkToken,
  getLinkedAccount,
  LinkedAccount,
  listLinkedAccounts,
  removeLinkedAccount,
} from './resources/linked_accounts.ts';
import { createLoad, getLoad, Load } from './resources/loads.ts';
import { listOwners, Owner } from './resources/owners.ts';
import {
  cancelPaymentRequest,
  createPaymentRequest,
  getPaymentRequest,
  PaymentRequest,
} from './resources/payment_requests.ts';
import { cancelPayment, createPayment, getPayment, Payment } from './resources/payments.ts';
import {
  listAllLinkedAccounts,
  listLoads,
  listPaymentRequests,
  listPayments,
  listRefunds,
  listWithdrawals,
} from './resources/record_lists.ts';
import { createRefund, getRefund, Refund } from './resources/refunds.ts';
import { getReconciliationReport, ReconciliationReport } from './resources/reports.ts';
import { createSession, exchangeSession, getSession, Session } from './resources/sessions.ts';
import { simulateEvent } from './resources/simulations.ts';
import { getStatement, listStatements, Statement } from './resources/statements.ts';
import { createToken } from './resources/tokens.ts';
import {
  getWebhookEvent,
  listWebhookEvents,
  resendWebhookEvent,
} from './resources/webhook_events.ts';
import { recoverWebhookEvents } from './resources/webhook_recoveries.ts';
import { createWithdrawal, getWithdrawal, Withdrawal } from './resources/withdrawals.ts';

export {
  type EventType,
  eventTypes,
  lifecycles,
  type Resource,
} from './lifecycles.ts';
export { type SimulateName, simulateNames } from './resources/simulations.ts';

/** Every operation of the Tenant API, in the order of the reference. */
export const endpoints = {
  createToken,
  createCustomer,
  listCustomers,
  getCustomer,
  listOwners,
  listDocuments,
  closeCustomer,
  createSession,
  exchangeSession,
  getSession,
  createLinkToken,
  createLinkedAccount,
  listLinkedAccounts,
  removeLinkedAccount,
  listAllLinkedAccounts,
  getLinkedAccount,
  listAccounts,
  getAccount,
  getBalance,
  listTransactions,
  getTransaction,
  listStatements,
  getStatement,
  createLoad,
  getLoad,
  listLoads,
  createPaymentRequest,
  getPaymentRequest,
  listPaymentRequests,
  cancelPaymentRequest,
  createPayment,
  getPayment,
  listPayments,
  cancelPayment,
  createWithdrawal,
  getWithdrawal,
  listWithdrawals,
  createRefund,
  getRefund,
  listRefunds,
  createDispute,
  listDisputes,
  getDispute,
  listWebhookEvents,
  getWebhookEvent,
  resendWebhookEvent,
  recoverWebhookEvents,
  getReconciliationReport,
  simulateEvent,
} as const satisfies Record<string, EndpointDefinition>;

export type Endpoints = typeof endpoints;
export type EndpointId = keyof Endpoints;

/** The record behind each resource that has events: what `data.object` holds. */
export const records = {
  customer: Customer,
  owner: Owner,
  document_acceptance: DocumentAcceptance,
  session: Session,
  linked_account: LinkedAccount,
  account: Account,
  transaction: Transaction,
  load: Load,
  payment_request: PaymentRequest,
  payment: Payment,
  withdrawal: Withdrawal,
  refund: Refund,
  statement: Statement,
  reconciliation_report: ReconciliationReport,
  dispute: Dispute,
} as const satisfies Record<Resource, TSchema>;

export type RecordOf<R extends Resource> = Static<(typeof records)[R]>;

/** The record that an event of this type carries: `RecordOfEvent<'payment.completed'>` is Payment. */
export type RecordOfEvent<E extends EventType> = E extends `${infer R extends Resource}.${string}`
  ? RecordOf<R>
  : never;

/**
 * Secret fields that no schema marks: of requests, of the hosted pages, and addresses that open a
 * file. With the marked fields they are redacted from logs, traces and the request log.
 */
const unmarkedSecrets = ['client_secret', 'public_token', 'result_token', 'pin', 'download_url'];

/** The names of all secret fields, sorted: they are never logged. */
export const secretFields: readonly string[] = [
  ...new Set([
    ...unmarkedSecrets,
    ...Object.values<EndpointDefinition>(endpoints).flatMap(({ params, query, body, success }) =>
      [params, query, body, success.schema].flatMap((part) => markedSecrets(part)),
    ),
  ]),
].sort();

/**
 * Secret fields of the hosted pages' and the portal's JSON alone, sorted. A caller of `/v1` may send one
 * by mistake, so logs and the request log redact them too (rules/retention#13).
 */
export const secretFieldsOfPages: readonly string[] = [
  'bearer',
  'device_code',
  'file',
  'portal_sign_in_url',
  'recovery_code',
  'recovery_codes',
  'redirect_url',
  'secret',
  'ssn_last4',
  'user_code',
  'verification_uri_complete',
  'webhook_secret',
];

/**
 * The names of all fields with personal data, sorted: logs, traces and the request log redact them
 * too (rules/retention#13). No operation takes some of them, but a wrong request may hold them.
 */
export const personalFields: readonly string[] = [
  'account_mask',
  'account_number',
  'address',
  'aggregator_account_id',
  'birth_date',
  'customer_name',
  'description',
  'display_name',
  'ein',
  'email',
  'first_name',
  'holders',
  'institution_name', // whose bank it is says something of the person, as the mask does
  'last_name',
  'legal_name',
  'metadata', // the Tenant's own, so it may hold anything
  'mobile_number',
  'mobile_number_last4',
  'name',
  'phone_number',
  'remittance',
  'routing_number',
  'ssn',
  'trading_name',
];

/** The names of the fields under a schema that are marked `x-secret`, at any depth. */
export function markedSecrets(schema: unknown, field?: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if ('x-secret' in schema) return field === undefined ? [] : [field];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(value as object).flatMap(([name, inner]) => markedSecrets(inner, name))
      : markedSecrets(value, field),
  );
}
