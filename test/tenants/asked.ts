import { randomBytes, randomUUID } from 'node:crypto';
import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/backoffice/contract/endpoint.ts';
import { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import { endpoints, simulateNames } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { requestUses } from '../../contract/core/request_uses.ts';
import { type Base, variantsOf } from '../contract/cases/bases.ts';
import { bodyWith, fieldsOf, isFreeText } from '../contract/cases/fields.ts';
import { isId, unknownIdLike } from '../contract/cases/requests.ts';
import { ofPlatformAlone } from '../kit/rights.ts';
import type { TenantRecords } from './records.ts';
import { deskWays } from './ways_desk.ts';
import { trafficWays } from './ways_traffic.ts';

/** A request in which a Tenant names something of its own. */
export interface Asked {
  readonly endpoint: EndpointDefinition;
  readonly name: string;
  readonly make: (own: TenantRecords) => Base | Promise<Base>;
}

type Way = Pick<Asked, 'name' | 'make'>;
const way = (name: string, make: Asked['make']): Way => ({ name, make });
const base = (make: Asked['make']): readonly Way[] => [way('base', make)];

const simulated = simulateNames.map((event) =>
  way(event, ({ targets }) => ({ params: { event }, body: { object_id: targets.payment } })),
);

/** Ways to name a record that the base of an operation leaves out, or of an operation without one. */
const further: Readonly<Record<string, readonly Way[]>> = {
  createSession: (['payment', 'load', 'withdrawal', 'refund'] as const).map((type) =>
    way(`of a ${type}`, (own) => ({
      body: {
        flow: 'payment_confirm',
        customer_id: (type === 'refund' ? own.shop : own.payer).customerId,
        target: { type, id: own.targets[type] },
      },
    })),
  ),
  createDispute: [
    way('of a transaction', async ({ api, payer, transactionId }) => ({
      body: {
        customer_id: payer.customerId,
        type: 'error',
        transaction_id: transactionId,
        description: 'I was charged twice',
        notice_received_at: (await api.get('/portal/api/clock')).now,
      },
    })),
  ],
  createPayment: [
    way('by bank', ({ payer, shop }) => ({
      body: {
        payer_customer_id: payer.customerId,
        payee_customer_id: shop.customerId,
        amount: 1_00,
        source: 'bank_account',
      },
    })),
  ],
  createLinkToken: [
    way('for a login', ({ payer }) => ({
      params: { id: payer.customerId },
      body: { platform: 'ios', linked_account_id: payer.linkedAccountId ?? '' },
    })),
  ],
  listStatements: [way('of the payer', ({ payer }) => ({ params: { id: payer.accountId } }))],
  listTransactions: [way('of the payer', ({ payer }) => ({ params: { id: payer.accountId } }))],
  listDisputes: [way('of all', () => ({}))],
  ...Object.fromEntries(
    ['Customers', 'Payments', 'Loads', 'Withdrawals', 'Refunds', 'AllLinkedAccounts'].map((of) => [
      `list${of}`,
      [way('of all', () => ({ query: { limit: '1' } }))],
    ]),
  ),
  listDisputeLetters: base(({ disputeId }) => ({ params: { id: disputeId } })),
  getDisputeLetter: base(({ disputeId }) => ({
    params: { id: disputeId, kind: 'provisional_credit' },
  })),
  listPaymentRequests: base((own) => ({ query: { customer_id: own.shop.customerId, limit: '1' } })),
  simulateEvent: simulated,
  retireWebhookSecret: base((own) => ({ params: { id: own.webhookSecretId } })),
  putMember: base((own) => ({ params: { id: own.memberId }, body: { roles: ['reader'] } })),
  removeMember: base((own) => ({ params: { id: own.memberId } })),
  endMemberSessions: base((own) => ({ params: { id: own.memberId } })),
  revokeInvitation: base((own) => ({ params: { id: own.invitationId } })),
  endSupportConsent: base((own) => ({ params: { id: own.consentId } })),
  giveSupportConsent: base(() => ({ body: { hours: 1, note: 'own' } })),
  createInvitation: base(() => ({
    body: { email: `${randomUUID()}@example.com`, roles: ['reader'] },
  })),
  retireCredential: base((own) => ({ params: { id: own.credentialId } })),
  revokeApiKey: base((own) => ({ params: { id: own.apiKeyId } })),
  listAccessRecords: [
    way('of all', () => ({})),
    way('by person', (own) => ({ query: { person_id: own.financierId } })),
    way('of a record', (own) => ({ query: { record: own.payer.customerId } })),
  ],
  listAuditPeople: [
    way('of the own chain', (own) => ({ query: { q: own.financierEmail } })),
    way('of all', () => ({ query: { scope: 'all' } })),
  ],
  ...trafficWays,
  listCustomerDocuments: base(({ payer }) => ({ params: { id: payer.customerId } })),
  listCustomerMessages: base(({ payer }) => ({ params: { id: payer.customerId } })),
  getRecord: [
    way('of a payment', ({ targets }) => ({ params: { id: targets.payment } })),
    way('of a customer', ({ payer }) => ({ params: { id: payer.customerId } })),
    way('of an event', ({ eventId }) => ({ params: { id: eventId } })),
  ],
  listPossibleMoves: base(({ targets }) => ({ params: { id: targets.payment } })),
  simulateMove: [...variantsOf(endpoints.simulateEvent), ...simulated],
  searchRecords: [
    way('by id', ({ targets }) => ({ query: { q: targets.payment } })),
    way('by reference', ({ application }) => ({ query: { q: application.external_ref } })),
  ],
  searchTenants: [
    way('by id', ({ targets }) => ({ query: { q: targets.payment } })),
    way('by reference', ({ application }) => ({ query: { q: application.external_ref } })),
  ],
  listFaces: base(({ targets, payer }) => ({
    query: { ids: `${targets.payment},${payer.customerId}` },
  })),
  // Each move of the reviewer's, of one resource at least on a record that allows it.
  reviewRecord: [
    ...Object.entries(reviewMoves).flatMap(([resource, moves]) =>
      moves.map((move) =>
        way(`${resource} ${move}`, ({ inReview, suspenseId }) => ({
          params: { resource, id: resource === 'customers' ? inReview : suspenseId, move },
          body: {},
        })),
      ),
    ),
    way('into the reserve', () => ({
      params: { resource: 'reserve', id: 'reserve', move: 'fund' },
      body: { amount: 1_00 },
    })),
    way('to an account', ({ suspenseId, payer }) => ({
      params: { resource: 'suspense', id: suspenseId, move: 'match' },
      body: { account_id: payer.accountId },
    })),
  ],
  ...deskWays,
  listTenants: [
    way('by id', ({ tenant }) => ({ query: { q: tenant.tenantId } })),
    way('by ids', ({ tenant }) => ({ query: { ids: tenant.tenantId } })),
  ],
  getTenant: base(({ tenant }) => ({ params: { id: tenant.tenantId } })),
  resumeTenant: base(({ tenant }) => ({ params: { id: tenant.tenantId } })),
  // The last of the catalog: it ends the own tokens.
  suspendTenant: base(({ tenant }) => ({ params: { id: tenant.tenantId }, body: { reason: 'x' } })),
  createPlatformApproval: base(({ tenant }) => ({
    body: { resource: 'tenants', id: tenant.tenantId, move: 'suspend', note: 'own' },
  })),
  beginPlatformApprovalConsent: base(({ platformApprovalId }) => ({
    params: { id: platformApprovalId },
  })),
  approvePlatformApproval: base(({ platformApprovalId }) => ({
    params: { id: platformApprovalId },
  })),
  refusePlatformApproval: base(({ platformApprovalId }) => ({
    params: { id: platformApprovalId },
  })),
};

/** A place in a request where something of a Tenant's is named. */
export interface Slot {
  readonly endpoint: EndpointDefinition;
  readonly part: 'params' | 'query' | 'body';
  readonly path: readonly string[];
  readonly kind: SlotKind;
}

/** The kinds of value that a slot takes: an id, or another name of something. */
export type SlotKind = 'id' | 'cursor' | 'code' | 'result_token' | 'public_token' | 'own_name';

const kinds: Readonly<Record<string, SlotKind>> = {
  // Several, of which one is sent.
  ids: 'id',
  cursor: 'cursor',
  qr_payload: 'code',
  result_token: 'result_token',
  public_token: 'public_token',
  external_ref: 'own_name',
  q: 'id',
  mobile_number: 'own_name',
};

/** Texts that name nothing which the service keeps; any other text of a request is a slot. */
const plainTexts = new Set([
  // Names of ours, the same for all.
  'act',
  'provider',
  // The audit holds what the Tenant itself has sent, also what was refused.
  'actor',
  'record',
  // A part of a name, among the Tenants that the caller may see.
  'tenant',
  'event',
  'from',
  'type',
  'code',
  'path',
  'types',
  'status',
  'key',
  'kind',
  // Held under the Tenant alone, as a hash.
  'idempotency_key',
  'move',
  'resource',
  'failure_code',
  'file_name',
  'csv',
  'file',
  'platform',
  // At the aggregator, the bank or the Tenant's own house.
  'aggregator_account_id',
  'android_package',
  'collection_point.name',
  'collection_point.reference',
  'collection_point_reference',
  'invoice_reference',
  'order_reference',
  // Told, not looked up.
  'branding.logo_url',
  'png',
  'branding.name',
  'branding.primary_color',
  'institution.name',
  'institution.bank',
  'institution.address',
  'institution.phone',
  'institution.hours',
  'description',
  'difference',
  'email',
  'name',
  'note',
  'reason',
  'security_reason',
  'remittance',
  'finding',
  'text',
  'prefill.first_name',
  'prefill.last_name',
  'prefill.legal_name',
  'text.en',
  'text.es',
  'title',
  'account_type',
  'routing_number',
  'account_number',
  'title.en',
  'title.es',
  ...requestUses.map((use) => `request_uses.${use}.agreement`),
  // The version of a document: no other Tenant's is found by it.
  'version',
  // Held against the Tenant's own settings alone.
  'redirect_uri',
  'return_url',
  'url',
  // A client's name comes before its tenant's: a test of its own.
  'client_id',
  'client_secret',
  'issuer',
  'grant_type',
]);

/** The places where a request for an approval holds what another operation takes. */
const within = /^(settings|provider)\./;

function kindOf(path: readonly string[]): SlotKind | null {
  const name = path.join('.');
  if (plainTexts.has(name.replace(within, ''))) return null;
  const last = path.at(-1) ?? '';
  if (last === 'id' || last.endsWith('_id')) return 'id';
  const kind = kinds[last];
  if (!kind) throw new Error(`${name} is neither a name of a record nor known to be none`);
  return kind;
}

/** @throws when a text of the operation is of no known kind */
export function slotsOf(endpoint: EndpointDefinition): Slot[] {
  return (['params', 'query', 'body'] as const).flatMap((part) =>
    fieldsOf(endpoint[part])
      .filter(({ schema }) => isFreeText(schema))
      .flatMap(({ path }) => {
        const kind = kindOf(path);
        return kind === null ? [] : [{ endpoint, part, path, kind }];
      }),
  );
}

/** The request with this in the slot. */
export function baseWith({ endpoint, part, path }: Slot, base: Base, value: string): Base {
  if (part === 'body')
    return { ...base, body: bodyWith(endpoint.body, { ...base.body }, path, value) };
  return { ...base, [part]: { ...base[part], [path.join('.')]: value } };
}

/** The value already in the slot; undefined where the request leaves it out. */
export function valueIn({ part, path }: Slot, base: Base): string | undefined {
  const found = path.reduce<unknown>(
    (held, name) => (held as Record<string, unknown> | undefined)?.[name],
    base[part],
  );
  return typeof found === 'string' ? found : undefined;
}

const ids = /[a-z]+_[0-9a-f]{32}/g;
const random = (count: number) => randomBytes(count).toString('hex');

/** Something of the same shape that no Tenant has. */
export function strange(kind: SlotKind, value: string): string {
  if (kind === 'id') return isId(value) ? unknownIdLike(value) : random(16);
  if (kind === 'cursor') return Buffer.from(random(value.length >> 2)).toString('base64url');
  return value.replaceAll(ids, (id) => unknownIdLike(id));
}

/** Every operation in every way that it is sent. @throws when one that names something has no way */
export const everythingAsked: readonly Asked[] = [
  ...Object.values<EndpointDefinition>(endpoints).flatMap((endpoint) =>
    [...variantsOf(endpoint), ...(further[endpoint.id] ?? [])].map(({ name, make }) => ({
      endpoint,
      name,
      make,
    })),
  ),
  ...Object.values<PortalEndpoint>(portalEndpoints).flatMap((endpoint) => {
    const isPaged = endpoint.query !== undefined && 'limit' in endpoint.query.properties;
    const page = way('base', () => ({ query: { limit: '1' } }));
    const ways = further[endpoint.id] ?? (isPaged ? [page] : []);
    // People are of no Tenant: backoffice/people tries whose are whose. The platform's alone refuses a program.
    const isClosed = endpoint.of === 'person' || ofPlatformAlone.includes(endpoint.id);
    if (ways.length === 0 && !isClosed && slotsOf(endpoint).length > 0)
      throw new Error(`no way is known to send ${endpoint.id}`);
    return ways.map((one) => ({ endpoint, ...one }));
  }),
];

/** One way to ask for each operation that takes a key, which is accepted however often it is asked. */
export const keyed: readonly Asked[] = [endpoints, portalEndpoints].flatMap((catalog) =>
  Object.values<EndpointDefinition>(catalog)
    .filter(({ idempotent }) => idempotent !== 'none')
    .map((endpoint) => {
      const ways = everythingAsked.filter((one) => one.endpoint === endpoint);
      const one = ways.find(({ name }) => name === 'into the reserve') ?? ways[0];
      if (!one) throw new Error(`${endpoint.id} is asked in no way`);
      return one;
    }),
);
