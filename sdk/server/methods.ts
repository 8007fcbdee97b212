import { endpoints, simulateNames } from '@tenant-payments/contract/catalog.ts';
import { endpoint } from '@tenant-payments/contract/core/endpoint.ts';
import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, OneOf } from '@tenant-payments/contract/core/schema.ts';
import { WebhookEvent } from '@tenant-payments/contract/resources/webhook_events.ts';
import Type from 'typebox';
import type { ListedEvent } from './events.ts';

/** In the contract an event's record is any object; here its type follows from the event's type. */
const TypedEvent = Type.Unsafe<ListedEvent>(WebhookEvent);

/** The service takes any text; here an unknown name does not compile. */
const simulate = endpoint({
  ...endpoints.simulateEvent,
  params: Closed({ event: OneOf(simulateNames) }),
});
const listEvents = endpoint({
  ...endpoints.listWebhookEvents,
  success: { status: 200, schema: List(TypedEvent) },
});
const resendEvent = endpoint({
  ...endpoints.resendWebhookEvent,
  success: { status: 202, schema: TypedEvent },
});

/** Every method of the client with its operation; only the client itself calls the token endpoint. */
export const methods = {
  customers: {
    create: endpoints.createCustomer,
    list: endpoints.listCustomers,
    get: endpoints.getCustomer,
    listOwners: endpoints.listOwners,
    listDocuments: endpoints.listDocuments,
    close: endpoints.closeCustomer,
  },
  sessions: { create: endpoints.createSession, exchange: endpoints.exchangeSession },
  linkTokens: { create: endpoints.createLinkToken },
  linkedAccounts: {
    create: endpoints.createLinkedAccount,
    list: endpoints.listLinkedAccounts,
    remove: endpoints.removeLinkedAccount,
  },
  accounts: {
    list: endpoints.listAccounts,
    balance: endpoints.getBalance,
    transactions: endpoints.listTransactions,
    statements: endpoints.listStatements,
  },
  loads: { create: endpoints.createLoad, get: endpoints.getLoad },
  paymentRequests: {
    create: endpoints.createPaymentRequest,
    get: endpoints.getPaymentRequest,
    cancel: endpoints.cancelPaymentRequest,
  },
  payments: {
    create: endpoints.createPayment,
    get: endpoints.getPayment,
    cancel: endpoints.cancelPayment,
  },
  withdrawals: { create: endpoints.createWithdrawal, get: endpoints.getWithdrawal },
  refunds: { create: endpoints.createRefund, get: endpoints.getRefund },
  disputes: { create: endpoints.createDispute, list: endpoints.listDisputes },
  reports: { reconciliation: endpoints.getReconciliationReport },
  webhookEvents: { list: listEvents, resend: resendEvent },
  sandbox: { simulate },
} as const;

export type Methods = typeof methods;
