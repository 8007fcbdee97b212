import type { PortalEndpointId } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { EndpointId } from '@tenant-payments/contract/catalog.ts';

/** The operation of a command; types alone are imported, so that the help loads no schema. */
export type Operation =
  | { readonly api: EndpointId; readonly otherwise?: PortalEndpointId }
  /** `word`: the field that stands in the line like an id. */
  | {
      readonly portal: PortalEndpointId;
      readonly word?: 'q';
      /** The columns of its table; absent: those that say most of any record. */
      readonly shows?: readonly string[];
      /** Its reply is the only one with the secret, so it is never hidden. */
      readonly shownOnce?: true;
    };

export interface ResourceCommands {
  readonly about: string;
  readonly verbs: Readonly<Record<string, Operation>>;
}

const api = <const Id extends EndpointId>(id: Id) => ({ api: id });
const portal = <const Id extends PortalEndpointId>(id: Id) => ({ portal: id });
const shownOnce = <const Id extends PortalEndpointId>(id: Id) =>
  ({ portal: id, shownOnce: true }) as const;
/** One record; a person who has signed in to the portal alone gets it from there. */
const one = <const Id extends EndpointId>(id: Id) => ({ api: id, otherwise: 'getRecord' }) as const;
/** The same of a list that both have under one name. */
const all = <const Id extends EndpointId & PortalEndpointId>(id: Id) => ({
  api: id,
  otherwise: id,
});

/** The commands of each resource (rules/tpay#5). What the API has no list of, the portal lists. */
export const resources = {
  customers: {
    about: 'people and businesses',
    verbs: {
      list: portal('listCustomers'),
      find: api('listCustomers'),
      get: one('getCustomer'),
      create: api('createCustomer'),
      close: api('closeCustomer'),
      owners: api('listOwners'),
      documents: api('listDocuments'),
    },
  },
  sessions: {
    about: 'hosted flows',
    verbs: {
      list: portal('listSessions'),
      get: one('getSession'),
      create: api('createSession'),
      exchange: api('exchangeSession'),
    },
  },
  'link-tokens': {
    about: 'what opens the bank link',
    verbs: { create: api('createLinkToken') },
  },
  'linked-accounts': {
    about: 'bank accounts of customers',
    verbs: {
      list: { api: 'listAllLinkedAccounts', otherwise: 'listLinkedAccounts' },
      of: api('listLinkedAccounts'),
      get: one('getLinkedAccount'),
      create: api('createLinkedAccount'),
      remove: api('removeLinkedAccount'),
    },
  },
  accounts: {
    about: 'Digital Accounts, balances and transactions',
    verbs: {
      list: portal('listAccounts'),
      of: api('listAccounts'),
      get: one('getAccount'),
      balance: api('getBalance'),
      transactions: api('listTransactions'),
      transaction: one('getTransaction'),
      statements: api('listStatements'),
      statement: one('getStatement'),
    },
  },
  loads: {
    about: 'money from the bank',
    verbs: { list: all('listLoads'), get: one('getLoad'), create: api('createLoad') },
  },
  'payment-requests': {
    about: 'QR codes and links to pay',
    verbs: {
      list: all('listPaymentRequests'),
      get: one('getPaymentRequest'),
      create: api('createPaymentRequest'),
      cancel: api('cancelPaymentRequest'),
    },
  },
  payments: {
    about: 'payments from a balance or by bank',
    verbs: {
      list: all('listPayments'),
      get: one('getPayment'),
      create: api('createPayment'),
      cancel: api('cancelPayment'),
    },
  },
  withdrawals: {
    about: 'money to the bank',
    verbs: {
      list: all('listWithdrawals'),
      get: one('getWithdrawal'),
      create: api('createWithdrawal'),
    },
  },
  refunds: {
    about: 'refunds of payments',
    verbs: { list: all('listRefunds'), get: one('getRefund'), create: api('createRefund') },
  },
  disputes: {
    about: "customers' notices of errors",
    verbs: {
      list: api('listDisputes'),
      get: one('getDispute'),
      create: api('createDispute'),
    },
  },
  reports: {
    about: 'reconciliation of a day',
    verbs: {
      list: portal('listReconciliationReports'),
      reconciliation: api('getReconciliationReport'),
    },
  },
  events: {
    about: 'what happened, and its deliveries: list, get, resend, replay',
    verbs: {
      list: portal('listEvents'),
      attempts: portal('listEventAttempts'),
      types: portal('listEventTypes'),
    },
  },
  endpoints: {
    about: 'webhook endpoints beside the first one, their secrets, and sending to them again',
    verbs: {
      list: {
        portal: 'listFurtherEndpoints',
        shows: ['id', 'name', 'url', 'types', 'enabled', 'created_at'],
      },
      add: shownOnce('createFurtherEndpoint'),
      change: portal('changeFurtherEndpoint'),
      remove: portal('deleteFurtherEndpoint'),
      secrets: { portal: 'listWebhookSecrets', shows: ['id', 'created_at', 'retired_at'] },
      'add-secret': shownOnce('createWebhookSecret'),
      'retire-secret': portal('retireWebhookSecret'),
      resend: portal('resendEvent'),
      recover: portal('recoverEvents'),
    },
  },
  logs: {
    about: 'calls of the API: list, tail',
    verbs: { list: portal('listRequests') },
  },
  records: {
    about: 'any record by its id, with its history',
    verbs: { get: portal('getRecord'), search: { portal: 'searchRecords', word: 'q' } },
  },
} as const satisfies Readonly<Record<string, ResourceCommands>>;

export type ResourceName = keyof typeof resources;
