import { List } from '@tenant-payments/contract/core/page.ts';
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
import { PasskeyAnswer, PasskeyOptions } from '@tenant-payments/contract/hosted/confirm.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { EndedSessions, openings } from './session.ts';

/** A person's own sessions, passkeys and recovery codes (rules/sign-in). */

export const OwnSession = Closed({
  id: Id('Session identifier'),
  current: Type.Boolean({ description: 'The one of this request' }),
  scope: Nullable(Type.String({ description: 'Where it acts: `platform`, or the id of a Tenant' })),
  opened_by: OneOf(openings, 'What opened it'),
  client_address: Type.String({ description: 'Where the person signed in from' }),
  browser: Type.String({ description: 'As the browser named itself' }),
  created_at: Instant('When the person signed in'),
  last_used_at: Instant('When it was last used, to the minute'),
  last_address: Type.String({ description: 'Where it was last used from' }),
  last_browser: Type.String({ description: 'The browser that last used it' }),
  moved_at: Nullable(
    Instant('Since when it waits for a proof: network and browser have both changed'),
  ),
  expires_at: Instant('When it ends in any case'),
});
export type OwnSession = Static<typeof OwnSession>;

export const OwnPasskey = Closed({
  id: Id('Passkey identifier'),
  name: Type.String({ description: 'As the person named it' }),
  created_at: Instant('When it was added'),
  last_used_at: Nullable(Instant('When it was last used')),
});
export type OwnPasskey = Static<typeof OwnPasskey>;

export const RecoveryCodes = Closed({
  recovery_codes: Type.Array(Secret('Shown only once'), { minItems: 10, maxItems: 10 }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

const own = { idempotent: 'none', may: 'signed_in', of: 'person' } as const;
const base = '/portal/api/my-passkeys';
const PasskeyName = Readable(60, 'How the person tells it from others');

export const listMySessions = portalEndpoint({
  id: 'listMySessions',
  method: 'GET',
  path: '/portal/api/my-sessions',
  summary: "List the caller's open sessions, the latest first",
  ...own,
  success: { status: 200, schema: List(OwnSession) },
  errors: [],
});

export const endMySession = portalEndpoint({
  id: 'endMySession',
  method: 'DELETE',
  path: '/portal/api/my-sessions/:id',
  summary: "End one of the caller's sessions",
  ...own,
  params: Closed({ id: IdInput('Session identifier') }),
  success: { status: 200, schema: EndedSessions },
  errors: ['not_found'],
});

export const endMyOtherSessions = portalEndpoint({
  id: 'endMyOtherSessions',
  method: 'DELETE',
  path: '/portal/api/my-sessions',
  summary: "End all the caller's sessions but this one",
  ...own,
  success: { status: 200, schema: EndedSessions },
  errors: [],
});

export const listMyPasskeys = portalEndpoint({
  id: 'listMyPasskeys',
  method: 'GET',
  path: base,
  summary: "List the caller's passkeys, the oldest first",
  ...own,
  success: { status: 200, schema: List(OwnPasskey) },
  errors: [],
});

export const beginMyPasskey = portalEndpoint({
  id: 'beginMyPasskey',
  method: 'POST',
  path: `${base}/begin`,
  summary: 'Get the options with which a browser makes a passkey for the caller',
  ...own,
  stepUp: true,
  success: { status: 200, schema: PasskeyOptions },
  errors: ['invalid_state'],
});

export const addMyPasskey = portalEndpoint({
  id: 'addMyPasskey',
  method: 'POST',
  path: base,
  summary: 'Store the passkey that the browser made; the cookie is replaced',
  ...own,
  stepUp: true,
  body: Closed({ ...PasskeyAnswer.properties, name: PasskeyName }),
  success: { status: 201, schema: OwnPasskey },
  errors: ['invalid_state'],
});

export const nameMyPasskey = portalEndpoint({
  id: 'nameMyPasskey',
  method: 'PUT',
  path: `${base}/:id`,
  summary: "Name one of the caller's passkeys",
  ...own,
  params: Closed({ id: IdInput('Passkey identifier') }),
  body: Closed({ name: PasskeyName }),
  success: { status: 200, schema: OwnPasskey },
  errors: ['not_found'],
});

export const removeMyPasskey = portalEndpoint({
  id: 'removeMyPasskey',
  method: 'DELETE',
  path: `${base}/:id`,
  summary: "Remove one of the caller's passkeys; the last one stays",
  ...own,
  stepUp: true,
  params: Closed({ id: IdInput('Passkey identifier') }),
  success: { status: 200, schema: OwnPasskey },
  errors: ['invalid_state', 'not_found'],
});

export const replaceMyRecoveryCodes = portalEndpoint({
  id: 'replaceMyRecoveryCodes',
  method: 'POST',
  path: '/portal/api/my-recovery-codes',
  summary: 'Make ten recovery codes, shown only once; the earlier ones stop working',
  ...own,
  stepUp: true,
  success: { status: 201, schema: RecoveryCodes },
  errors: [],
});
