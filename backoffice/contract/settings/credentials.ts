import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, IdInput } from '@tenant-payments/contract/core/schema.ts';
import {
  Credential,
  NewCredential,
  RevokedTokens,
} from '@tenant-payments/contract/resources/credentials.ts';
import { portalEndpoint } from '../endpoint.ts';

/** The secrets of the Tenant's API client, and its access tokens (rules/keys#6). */

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
