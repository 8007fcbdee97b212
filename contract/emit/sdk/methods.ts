import { endpoints } from '../../catalog.ts';

/**
 * Every method of the server SDK with its operation; only the client itself calls the token endpoint.
 * A method that gives one record is `get…`, one that gives a list is `list…`.
 */
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
    getBalance: endpoints.getBalance,
    listTransactions: endpoints.listTransactions,
    listStatements: endpoints.listStatements,
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
  reports: { getReconciliation: endpoints.getReconciliationReport },
  webhookEvents: {
    list: endpoints.listWebhookEvents,
    resend: endpoints.resendWebhookEvent,
    recover: endpoints.recoverWebhookEvents,
  },
  sandbox: { simulate: endpoints.simulateEvent },
} as const;

export type Methods = typeof methods;
