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
  sessions: {
    create: endpoints.createSession,
    get: endpoints.getSession,
    exchange: endpoints.exchangeSession,
  },
  linkTokens: { create: endpoints.createLinkToken },
  linkedAccounts: {
    create: endpoints.createLinkedAccount,
    list: endpoints.listLinkedAccounts,
    listAll: endpoints.listAllLinkedAccounts,
    get: endpoints.getLinkedAccount,
    remove: endpoints.removeLinkedAccount,
  },
  accounts: {
    list: endpoints.listAccounts,
    get: endpoints.getAccount,
    getBalance: endpoints.getBalance,
    listTransactions: endpoints.listTransactions,
    getTransaction: endpoints.getTransaction,
    listStatements: endpoints.listStatements,
    getStatement: endpoints.getStatement,
  },
  loads: { create: endpoints.createLoad, list: endpoints.listLoads, get: endpoints.getLoad },
  paymentRequests: {
    create: endpoints.createPaymentRequest,
    list: endpoints.listPaymentRequests,
    get: endpoints.getPaymentRequest,
    cancel: endpoints.cancelPaymentRequest,
  },
  payments: {
    create: endpoints.createPayment,
    list: endpoints.listPayments,
    get: endpoints.getPayment,
    cancel: endpoints.cancelPayment,
  },
  withdrawals: {
    create: endpoints.createWithdrawal,
    list: endpoints.listWithdrawals,
    get: endpoints.getWithdrawal,
  },
  refunds: {
    create: endpoints.createRefund,
    list: endpoints.listRefunds,
    get: endpoints.getRefund,
  },
  disputes: {
    create: endpoints.createDispute,
    list: endpoints.listDisputes,
    get: endpoints.getDispute,
  },
  reports: { getReconciliation: endpoints.getReconciliationReport },
  webhookEvents: {
    list: endpoints.listWebhookEvents,
    get: endpoints.getWebhookEvent,
    resend: endpoints.resendWebhookEvent,
    recover: endpoints.recoverWebhookEvents,
  },
  sandbox: { simulate: endpoints.simulateEvent },
} as const;

export type Methods = typeof methods;
