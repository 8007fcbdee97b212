import { List } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  Secret,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The secrets of the Tenant's API client, and its access tokens (rules/keys#6). */

const about = {
  id: Id('Secret identifier'),
  client_id: Type.String({ description: 'The client it belongs to' }),
};

export const Credential = Closed({
  ...about,
  created_at: Instant('When it was created'),
  retired_at: Nullable(Instant('When it was retired')),
  last_used_at: Nullable(
    Instant('When an access token was last got with it, in real time and to the minute'),
  ),
});
export type Credential = Static<typeof Credential>;

export const NewCredential = Closed({
  ...about,
  client_secret: Secret('The secret with its prefix; shown only once'),
  created_at: Instant('When it was created'),
});
export type NewCredential = Static<typeof NewCredential>;

export const RevokedTokens = Closed({
  revoked: Type.Integer({ minimum: 0, description: 'How many access tokens were ended' }),
});
export type RevokedTokens = Static<typeof RevokedTokens>;

export const listCredentials = portalEndpoint({
  id: 'listCredentials',
  method: 'GET',
  path: '/portal/api/credentials',
  summary: 'List the client secrets, newest first, without their values',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  success: { status: 200, schema: List(Credential) },
  errors: [],
});

export const createCredential = portalEndpoint({
  id: 'createCredential',
  method: 'POST',
  path: '/portal/api/credentials',
  summary: 'Create a client secret, shown only once; at most two are active',
  idempotent: 'none',
  may: ['developer', 'admin'],
  stepUp: true,
  of: 'tenant',
  success: { status: 201, schema: NewCredential },
  errors: ['invalid_state'],
});

export const retireCredential = portalEndpoint({
  id: 'retireCredential',
  method: 'DELETE',
  path: '/portal/api/credentials/:id',
  summary: 'Retire a client secret; it gives no further access token. The last active one stays',
  idempotent: 'none',
  may: ['developer', 'admin'],
  stepUp: true,
  of: 'tenant',
  params: Closed({ id: IdInput('Secret identifier') }),
  success: { status: 200, schema: Credential },
  errors: ['invalid_state', 'not_found'],
});

export const revokeTokens = portalEndpoint({
  id: 'revokeTokens',
  method: 'POST',
  path: '/portal/api/credentials/revoke-tokens',
  summary:
    'End all access tokens of the client, that of this call too; within a second none is taken',
  idempotent: 'none',
  may: ['developer', 'admin'],
  stepUp: true,
  of: 'tenant',
  success: { status: 200, schema: RevokedTokens },
  errors: [],
});
