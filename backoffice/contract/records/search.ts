import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, Id, Text } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { Face } from './faces.ts';

/** Records by what is known of them (rules/portal-records#12). */

const hitFields = {
  ...Face.properties,
  resource: Type.String({ description: 'Its kind; also `event`, `request` and `transaction`' }),
  title: Type.String({ description: 'What it was found by' }),
};

export const SearchHit = Closed(hitFields);
export type SearchHit = Static<typeof SearchHit>;

/** Records that a search gives at most, and of one kind. */
export const maximumHits = 20;
export const maximumOfKind = 5;

const asked = Text(
  255,
  'An id or its beginning, a name, an e-mail address, the last four digits of a phone, a reference, an amount such as $80.00',
);

export const searchRecords = portalEndpoint({
  id: 'searchRecords',
  method: 'GET',
  path: '/portal/api/search',
  summary: 'Find records by id, name, e-mail, phone, reference, amount or idempotency key',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  personal: 'data',
  query: Closed({ q: asked }),
  success: { status: 200, schema: List(SearchHit) },
  errors: ['parameter_missing', 'parameter_invalid'],
});

export const TenantHit = Closed({
  ...hitFields,
  resource: Type.String({ description: 'Its kind; `tenant` of a Tenant itself' }),
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
});
export type TenantHit = Static<typeof TenantHit>;

export const searchTenants = portalEndpoint({
  id: 'searchTenants',
  method: 'GET',
  path: '/portal/api/search/tenants',
  summary: 'Find Tenants by name, and records of all of them as a search in one finds them',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
  personal: 'data',
  query: Closed({ q: asked }),
  success: { status: 200, schema: List(TenantHit) },
  errors: ['parameter_missing', 'parameter_invalid'],
});
