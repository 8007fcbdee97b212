import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { Cents } from '@tenant-payments/contract/core/money.ts';
import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, Id, Instant, Nullable, Text } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** A customer as staff know them; the name is masked for whoever may not see it. */
const Party = Closed({
  id: Id('Customer'),
  display_name: Type.String({
    description: 'The full name of a person, the trading name of a business; empty: none is known',
  }),
});

/** A record as a person recognises it, instead of by its id (rules/portal-records#11). */
export const Face = Closed({
  id: Id('Record'),
  resource: Type.String({ description: 'Its kind' }),
  party: Nullable(Party),
  other: Nullable(Party),
  label: Nullable(
    Type.String({ description: "Flow, type, period, document or the Tenant's own reference" }),
  ),
  institution_name: Nullable(
    Type.String({ description: "The customer's bank and the account's last digits" }),
  ),
  amount: Nullable(Cents),
  status: Nullable(Type.String()),
  at: Nullable(Instant("When it was made, on the Tenant's clock")),
});
export type Face = Static<typeof Face>;

export const listFaces = portalEndpoint({
  id: 'listFaces',
  method: 'GET',
  path: '/portal/api/faces',
  summary: 'Say what records are: parties, amount and state, by their ids',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  personal: 'data',
  query: Closed({
    ids: Text(maximumFaces * 40, `At most ${maximumFaces} ids of any kind, with commas between`),
  }),
  success: { status: 200, schema: List(Face) },
  errors: ['parameter_missing', 'parameter_invalid'],
});
