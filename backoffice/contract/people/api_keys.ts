import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import { roles } from '@tenant-payments/contract/core/roles.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
  Secret,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Keys with which a program calls the portal's JSON (rules/api-keys#1). */

export const apiKeyStatuses = [
  'active',
  'expired',
  'revoked',
  'maker_ended',
  'sign_in_due',
] as const;

const about = {
  id: Id('API key identifier'),
  name: Type.String({ description: 'As its maker named it' }),
  scope: Type.String({ description: 'Where it acts: `platform`, or the id of a Tenant' }),
  roles: Type.Array(OneOf(roles, 'Role'), { description: 'What it may do there' }),
  person_id: Nullable(Id("The person who made it; null: the sandbox's client")),
  made_by: OneOf(['portal', 'device'], 'Made in the portal, or by signing in on a device'),
  created_at: Instant('When it was made'),
  expires_at: Instant('When it ends in any case'),
};

export const ApiKey = Closed({
  ...about,
  status: OneOf(
    apiKeyStatuses,
    'maker_ended: its maker lost the role, or cannot sign in any more; sign_in_due: its maker has no account at the provider that is demanded, or has not signed in there for 30 days',
  ),
  last_used_at: Nullable(Instant('When it was last used, to the minute')),
  revoked_at: Nullable(Instant('When it was revoked')),
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Closed({ ...about, key: Secret('`tpk_…`; shown only once') });
export type NewApiKey = Static<typeof NewApiKey>;

const own = { idempotent: 'none', of: 'person' } as const;
const path = '/portal/api/api-keys';

export const listApiKeys = portalEndpoint({
  id: 'listApiKeys',
  method: 'GET',
  path,
  summary:
    "List the API keys where the caller acts, without their values; others' are for developers",
  ...own,
  may: 'signed_in',
  query: Closed(pageQuery),
  success: { status: 200, schema: List(ApiKey) },
  errors: ['forbidden'],
});

export const createApiKey = portalEndpoint({
  id: 'createApiKey',
  method: 'POST',
  path,
  summary: "Make an API key with roles of the caller's own, shown only once",
  ...own,
  may: ['developer', 'admin'],
  stepUp: true,
  body: Closed({
    name: Readable(60, 'What it is for'),
    roles: Type.Array(OneOf(roles), {
      minItems: 1,
      maxItems: roles.length,
      uniqueItems: true,
      description: 'At most those of the caller',
    }),
    expires_at: Instant('At most 365 days from now, with the role reviewer or admin 24 hours'),
  }),
  success: { status: 201, schema: NewApiKey },
  errors: [],
});

export const revokeApiKey = portalEndpoint({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Revoke an API key; within a second no process takes it',
  ...own,
  may: 'signed_in',
  stepUp: true,
  params: Closed({ id: IdInput('API key identifier') }),
  success: { status: 200, schema: ApiKey },
  errors: ['forbidden', 'not_found'],
});

export const revokeThisApiKey = portalEndpoint({
  id: 'revokeThisApiKey',
  method: 'DELETE',
  path: `${path}/current`,
  summary: 'Revoke the API key that calls; it needs no step-up',
  ...own,
  may: 'signed_in',
  success: { status: 200, schema: ApiKey },
  errors: ['forbidden'],
});
