// Made from contract/ by `npm run emit`. Do not edit.

import type { Operation } from '../request.ts';

/** Every method of the client with its operation. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  customers: {
    create: {"id":"createCustomer","method":"POST","path":"/v1/customers","keyed":true,"payload":"body","list":false},
    list: {"id":"listCustomers","method":"GET","path":"/v1/customers","keyed":false,"payload":"query","list":true},
    get: {"id":"getCustomer","method":"GET","path":"/v1/customers/:id","keyed":false,"payload":null,"list":false},
    listOwners: {"id":"listOwners","method":"GET","path":"/v1/customers/:id/owners","keyed":false,"payload":null,"list":true},
    listDocuments: {"id":"listDocuments","method":"GET","path":"/v1/customers/:id/documents","keyed":false,"payload":null,"list":true},
    close: {"id":"closeCustomer","method":"POST","path":"/v1/customers/:id/close","keyed":true,"payload":"body","list":false},
  },
  sessions: {
    create: {"id":"createSession","method":"POST","path":"/v1/sessions","keyed":true,"payload":"body","list":false},
    exchange: {"id":"exchangeSession","method":"POST","path":"/v1/sessions/exchange","keyed":true,"payload":"body","list":false},
  },
  linkTokens: {
    create: {"id":"createLinkToken","method":"POST","path":"/v1/customers/:id/link-tokens","keyed":true,"payload":"body","list":false},
  },
  linkedAccounts: {
    create: {"id":"createLinkedAccount","method":"POST","path":"/v1/customers/:id/linked-accounts","keyed":true,"payload":"body","list":false},
    list: {"id":"listLinkedAccounts","method":"GET","path":"/v1/customers/:id/linked-accounts","keyed":false,"payload":null,"list":true},
    remove: {"id":"removeLinkedAccount","method":"DELETE","path":"/v1/customers/:id/linked-accounts/:linked_account_id","keyed":true,"payload":null,"list":false},
  },
  accounts: {
    list: {"id":"listAccounts","method":"GET","path":"/v1/accounts","keyed":false,"payload":"query","list":true},
    getBalance: {"id":"getBalance","method":"GET","path":"/v1/accounts/:id/balance","keyed":false,"payload":null,"list":false},
    listTransactions: {"id":"listTransactions","method":"GET","path":"/v1/accounts/:id/transactions","keyed":false,"payload":"query","list":true},
    listStatements: {"id":"listStatements","method":"GET","path":"/v1/accounts/:id/statements","keyed":false,"payload":"query","list":true},
  },
  loads: {
    create: {"id":"createLoad","method":"POST","path":"/v1/loads","keyed":true,"payload":"body","list":false},
    get: {"id":"getLoad","method":"GET","path":"/v1/loads/:id","keyed":false,"payload":null,"list":false},
  },
  paymentRequests: {
    create: {"id":"createPaymentRequest","method":"POST","path":"/v1/payment-requests","keyed":true,"payload":"body","list":false},
    get: {"id":"getPaymentRequest","method":"GET","path":"/v1/payment-requests/:id","keyed":false,"payload":null,"list":false},
    cancel: {"id":"cancelPaymentRequest","method":"POST","path":"/v1/payment-requests/:id/cancel","keyed":true,"payload":null,"list":false},
  },
  payments: {
    create: {"id":"createPayment","method":"POST","path":"/v1/payments","keyed":true,"payload":"body","list":false},
    get: {"id":"getPayment","method":"GET","path":"/v1/payments/:id","keyed":false,"payload":null,"list":false},
    cancel: {"id":"cancelPayment","method":"POST","path":"/v1/payments/:id/cancel","keyed":true,"payload":null,"list":false},
  },
  withdrawals: {
    create: {"id":"createWithdrawal","method":"POST","path":"/v1/withdrawals","keyed":true,"payload":"body","list":false},
    get: {"id":"getWithdrawal","method":"GET","path":"/v1/withdrawals/:id","keyed":false,"payload":null,"list":false},
  },
  refunds: {
    create: {"id":"createRefund","method":"POST","path":"/v1/refund-requests","keyed":true,"payload":"body","list":false},
    get: {"id":"getRefund","method":"GET","path":"/v1/refund-requests/:id","keyed":false,"payload":null,"list":false},
  },
  disputes: {
    create: {"id":"createDispute","method":"POST","path":"/v1/disputes","keyed":true,"payload":"body","list":false},
    list: {"id":"listDisputes","method":"GET","path":"/v1/disputes","keyed":false,"payload":"query","list":true},
  },
  reports: {
    getReconciliation: {"id":"getReconciliationReport","method":"GET","path":"/v1/reports/reconciliation","keyed":false,"payload":"query","list":false},
  },
  webhookEvents: {
    list: {"id":"listWebhookEvents","method":"GET","path":"/v1/webhook-events","keyed":false,"payload":"query","list":true},
    resend: {"id":"resendWebhookEvent","method":"POST","path":"/v1/webhook-events/:id/resend","keyed":true,"payload":null,"list":false},
    recover: {"id":"recoverWebhookEvents","method":"POST","path":"/v1/webhook-events/recover","keyed":false,"payload":"body","list":false},
  },
  sandbox: {
    simulate: {"id":"simulateEvent","method":"POST","path":"/v1/sandbox/simulate/:event","keyed":true,"payload":"body","list":false},
  },
};
