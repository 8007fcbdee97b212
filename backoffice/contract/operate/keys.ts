import { Closed, Id, Instant, OneOf } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The values that rest on each key of the service, and the next step (rules/keys#10). */

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const KeyRingStatus = Closed({
  name: OneOf(['SEALING_KEY', 'PIN_PEPPER', 'QR_SIGNING_KEY', 'IDENTITY_KEY'], 'The setting'),
  keys: Type.Array(
    Closed({
      id: Id('The key; never the key itself'),
      first: Type.Boolean({ description: 'It seals, hashes or signs what is new' }),
      values: Count('What rests on it'),
      may_be_dropped: Type.Boolean(),
      revoked: Type.Boolean({ description: 'Nothing that names it is taken any more' }),
    }),
    { description: 'In the order of the ring' },
  ),
  nameless: Count('Values from before keys had ids'),
  missing: Type.Array(Closed({ id: Id('The key'), values: Count('What names it') }), {
    description: 'Keys that values name and the ring lacks',
  }),
  next: Type.String({ description: 'What to do next' }),
});

export const KeysStatus = Closed({
  object: Type.Literal('keys_status'),
  at: Instant('When it was counted, in real time; at most a minute ago'),
  rings: Type.Array(KeyRingStatus),
  reseal: Closed({
    tenants_waiting: Count('Tenants whose values are still to be sealed anew'),
    resealed: Count('Values that were'),
    unopened: Count('Values that could not be opened'),
  }),
});
export type KeysStatus = Static<typeof KeysStatus>;

export const getKeysStatus = portalEndpoint({
  id: 'getKeysStatus',
  method: 'GET',
  path: '/portal/api/keys',
  summary: 'Get what rests on each key of the service, and what to do next; no key is shown',
  idempotent: 'none',
  may: ['admin'],
  of: 'platform',
  success: { status: 200, schema: KeysStatus },
  errors: [],
});
