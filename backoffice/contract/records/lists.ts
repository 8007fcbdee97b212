import { records } from '@tenant-payments/contract/catalog.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { lifecycles, type Resource } from '@tenant-payments/contract/lifecycles.ts';
import {
  DocumentAcceptance,
  documentTypes,
  LegalText,
} from '@tenant-payments/contract/resources/documents.ts';
import Type, { type TProperties } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile, inOrder, madeBetween, ofCustomer } from './list_filters.ts';

/**
 * A list of all records of a resource, newest first, each as the API's GET shows it
 * (rules/operations#31). `status` takes the states of the resource.
 */
const recordList = <
  const Id extends string,
  const Path extends string,
  R extends Resource,
  F extends TProperties = typeof ofCustomer,
>(
  id: Id,
  path: Path,
  resource: R,
  filters: F = ofCustomer as unknown as F,
) =>
  portalEndpoint({
    id,
    method: 'GET',
    path,
    summary: `List every ${resource.replaceAll('_', ' ')}, newest first`,
    idempotent: 'none',
    may: ['reader', 'support'],
    of: 'tenant',
    personal: 'data',
    access: 'export',
    stepUp: 'by_format',
    query: Closed({
      status: Type.Optional(OneOf<readonly string[]>(lifecycles[resource].states)),
      ...filters,
      ...madeBetween,
      ...inOrder,
      ...asFile,
      ...pageQuery,
    }),
    success: { status: 200, schema: List(records[resource]) },
    errors: ['parameter_invalid'],
  });

export const listCustomers = recordList('listCustomers', '/portal/api/customers', 'customer', {});
export const listPayments = recordList('listPayments', '/portal/api/payments', 'payment');
export const listLoads = recordList('listLoads', '/portal/api/loads', 'load');
export const listWithdrawals = recordList(
  'listWithdrawals',
  '/portal/api/withdrawals',
  'withdrawal',
);
export const listRefunds = recordList('listRefunds', '/portal/api/refunds', 'refund');
export const listPaymentRequests = recordList(
  'listPaymentRequests',
  '/portal/api/payment-requests',
  'payment_request',
);
export const listAccounts = recordList('listAccounts', '/portal/api/accounts', 'account');
export const listLinkedAccounts = recordList(
  'listLinkedAccounts',
  '/portal/api/linked-accounts',
  'linked_account',
);
export const listSessions = recordList('listSessions', '/portal/api/sessions', 'session');

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** A document as its customer read it, with the evidence of the consent (rules/documents#35). */
export const CustomerDocument = Closed({
  ...DocumentAcceptance.properties,
  effective_at: Nullable(
    Instant('From when on the version holds for this customer; null: from the acceptance on'),
  ),
  accepted_in: Nullable(
    OneOf(['en', 'es'], 'Language of the page on which it was accepted; null: it did not say'),
  ),
  sample_opened_at: Nullable(
    Instant('Of esign_consent: when the customer had opened the sample statement'),
  ),
  paper_since: Nullable(
    Instant('Of esign_consent: since when it is withdrawn, and records go out on paper'),
  ),
  sha256: Closed(
    { en: Digest, es: Digest },
    'SHA-256 of title, a line break and text, in each language',
  ),
  legal_text: LegalText,
});

/** Every published version with its texts, kept for ever (rules/documents#14). */
export const listLegalTexts = portalEndpoint({
  id: 'listLegalTexts',
  method: 'GET',
  path: '/portal/api/legal-texts',
  summary: 'List the published versions of the documents with their texts, newest first',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  query: Closed({
    document_type: Type.Optional(OneOf<readonly string[]>(documentTypes)),
    version: Type.Optional(LegalText.properties.version),
  }),
  success: { status: 200, schema: List(LegalText) },
  errors: ['parameter_invalid'],
});

/** The history of what a customer has accepted: the API lists what is in force or waits. */
export const listCustomerDocuments = portalEndpoint({
  id: 'listCustomerDocuments',
  method: 'GET',
  path: '/portal/api/customers/:id/documents',
  summary: "List a customer's documents, newest first; on request with the superseded ones",
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  params: Closed({ id: IdInput('Customer identifier') }),
  query: Closed({
    include: Type.Optional(OneOf(['superseded'], 'Also the versions that newer ones superseded')),
  }),
  success: { status: 200, schema: List(CustomerDocument) },
  errors: ['parameter_invalid', 'not_found'],
});

/** A list of what has a file, for those who may open it: each row has a fresh address of it. */
const fileList = <
  const Id extends string,
  const Path extends string,
  R extends Resource,
  F extends TProperties,
>(
  id: Id,
  path: Path,
  resource: R,
  filters: F,
  beside: { readonly personal?: string } = {},
) =>
  portalEndpoint({
    id,
    method: 'GET',
    path,
    summary: `List every ${resource.replaceAll('_', ' ')} with a fresh address of its file`,
    idempotent: 'none',
    may: ['finance', 'support'],
    of: 'tenant',
    ...beside,
    query: Closed({ ...filters, ...pageQuery }),
    success: { status: 200, schema: List(records[resource]) },
    errors: ['parameter_invalid'],
  });

export const listStatements = fileList(
  'listStatements',
  '/portal/api/statements',
  'statement',
  { ...ofCustomer, ...madeBetween },
  { personal: 'data' },
);
export const listReconciliationReports = fileList(
  'listReconciliationReports',
  '/portal/api/reconciliation-reports',
  'reconciliation_report',
  madeBetween,
);
