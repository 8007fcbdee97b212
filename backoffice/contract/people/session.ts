import { roles } from '@tenant-payments/contract/core/roles.ts';
import {
  Closed,
  Instant,
  Nullable,
  OneOf,
  Secret,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { PasskeyAnswer, PasskeyOptions } from '@tenant-payments/contract/hosted/confirm.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** How people sign in to the portal, and where their session acts (rules/sign-in). */

export const Role = OneOf(roles, 'Role');

/** The ways to open a session. */
export const openings = ['passkey', 'recovery_code', 'sandbox_link', 'single_sign_on'] as const;

/** A place where somebody may act. */
export const Scope = Closed({
  scope: Type.String({ description: '`platform`, or the id of a Tenant' }),
  name: Type.String({ description: "`Platform`, or the Tenant's name" }),
  roles: Type.Array(Role, { description: 'Held there' }),
});
export type Scope = Static<typeof Scope>;

const SignedInPerson = Closed({
  id: Type.String({ description: 'Person identifier' }),
  email: Type.String({ description: 'Email address in lower case' }),
  name: Type.String({ description: 'Name' }),
});

/** The session sees a Tenant by consent of an owner, and not with roles held there (rules/people#8). */
export const Visit = Closed({
  tenant_name: Type.String({ description: 'The Tenant' }),
  consent_by: Nullable(Type.String({ description: 'Who consented; null: a program did' })),
  until: Instant('When it is over in any case'),
  over: Type.Boolean({ description: 'The session does nothing any more but leave' }),
});

/** The caller, and the caller's rights now. */
export const CurrentSession = Closed({
  kind: OneOf(['person', 'client', 'api_key'], 'What has signed in'),
  id: Type.String({ description: 'Of the session, client or API key' }),
  person: Nullable(SignedInPerson),
  scope: Nullable(Type.String({ description: 'Where it acts: `platform`, or the id of a Tenant' })),
  roles: Type.Array(Role, { description: 'Held where it acts' }),
  scopes: Type.Array(Scope, { description: 'Everything the person may choose to act in' }),
  visit: Nullable(Visit),
  opened_by: Nullable(OneOf(openings, 'What opened the session; null: no session calls')),
  single_sign_on: Type.Boolean({
    description: 'Where it acts, people may sign in by an identity provider',
  }),
  must_add_passkey: Type.Boolean({
    description: 'Opened by a recovery code: it does nothing before a new passkey is added',
  }),
  fresh_until: Nullable(Instant('Until when it counts as stepped up; null: it does not')),
  idle_seconds: Nullable(
    Type.Integer({ description: 'It ends after this many seconds without a request' }),
  ),
  expires_at: Nullable(Instant('When it ends in any case')),
  passkeys: Nullable(Type.Integer({ description: 'How many passkeys the person has' })),
  recovery_codes: Nullable(Type.Integer({ description: 'How many recovery codes are unused' })),
});
export type CurrentSession = Static<typeof CurrentSession>;

export const EndedSessions = Closed({
  ended: Type.Integer({ minimum: 0, description: 'How many sessions were ended' }),
});

const oneTime = (what: string) => Secret(`${what}; it works once`);

export const getSession = portalEndpoint({
  id: 'getSession',
  method: 'GET',
  path: '/portal/api/session',
  summary: 'Get who is signed in, with which roles, and where the session acts',
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  success: { status: 200, schema: CurrentSession },
  errors: [],
});

export const beginSignIn = portalEndpoint({
  id: 'beginSignIn',
  method: 'POST',
  path: '/portal/api/sign-in/begin',
  summary: 'Get the options with which a browser asks for any passkey of this portal',
  idempotent: 'none',
  authenticated: false,
  may: 'anybody',
  of: 'person',
  success: { status: 200, schema: PasskeyOptions },
  errors: [],
});

export const finishSignIn = portalEndpoint({
  id: 'finishSignIn',
  method: 'POST',
  path: '/portal/api/sign-in/finish',
  summary: "Sign in with a passkey's answer; sets the session's cookie",
  idempotent: 'none',
  authenticated: false,
  may: 'anybody',
  of: 'person',
  body: PasskeyAnswer,
  success: { status: 200, schema: CurrentSession },
  errors: [],
});

export const signInByRecoveryCode = portalEndpoint({
  id: 'signInByRecoveryCode',
  method: 'POST',
  path: '/portal/api/sign-in/recovery',
  summary: 'Sign in with a recovery code; ends all other sessions and demands a new passkey',
  idempotent: 'none',
  authenticated: false,
  may: 'anybody',
  of: 'person',
  body: Closed({
    email: Type.String({ format: 'email', maxLength: 254 }),
    recovery_code: oneTime('A recovery code'),
  }),
  success: { status: 200, schema: CurrentSession },
  errors: [],
});

export const signInByLink = portalEndpoint({
  id: 'signInByLink',
  method: 'POST',
  path: '/portal/api/sign-in/link',
  summary: "Sign in with the token of the sandbox's start link, as its sample person",
  idempotent: 'none',
  authenticated: false,
  may: 'anybody',
  of: 'person',
  sandboxOnly: true,
  body: Closed({ token: oneTime('The token behind `#link=` of the address') }),
  success: { status: 200, schema: CurrentSession },
  errors: [],
});

export const beginStepUp = portalEndpoint({
  id: 'beginStepUp',
  method: 'POST',
  path: '/portal/api/step-up/begin',
  summary: 'Get the options with which a browser asks for a passkey of this person',
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  success: { status: 200, schema: PasskeyOptions },
  errors: ['invalid_state'],
});

export const finishStepUp = portalEndpoint({
  id: 'finishStepUp',
  method: 'POST',
  path: '/portal/api/step-up/finish',
  summary: 'Step up for five minutes; the cookie is replaced',
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  body: PasskeyAnswer,
  success: { status: 200, schema: CurrentSession },
  errors: [],
});

export const actIn = portalEndpoint({
  id: 'actIn',
  method: 'POST',
  path: '/portal/api/session/act',
  summary: 'Choose where the session acts: the platform, or one Tenant',
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  body: Closed({ scope: Text(64, '`platform`, or the id of a Tenant') }),
  success: { status: 200, schema: CurrentSession },
  errors: [],
});

export const signOut = portalEndpoint({
  id: 'signOut',
  method: 'DELETE',
  path: '/portal/api/session',
  summary: 'Sign out: the session ends, and its cookie is removed',
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  success: { status: 200, schema: EndedSessions },
  errors: [],
});
