import { roles } from '@tenant-payments/contract/core/roles.ts';
import {
  Closed,
  Id,
  Instant,
  OneOf,
  Readable,
  Secret,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { NewApiKey } from './api_keys.ts';
import { Role } from './session.ts';

/** How a program gets an API key from somebody who signs in elsewhere: RFC 8628 (rules/device-sign-in). */

/** Seconds between two polls; each that comes too early adds as many. */
export const pollSeconds = 5;

/** Why a poll gives no key yet, or none at all: the error codes of RFC 8628, section 3.5. */
export const pollReasons = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
] as const;
export type PollReason = (typeof pollReasons)[number];

const Roles = (description: string) =>
  Type.Array(OneOf(roles), {
    minItems: 1,
    maxItems: roles.length,
    uniqueItems: true,
    description,
  });

/** The code that the program shows, and the one with which it polls. */
export const BegunDeviceSignIn = Closed({
  device_code: Secret('With which the program polls; it keeps it to itself'),
  user_code: Secret('What somebody enters at the address: XXXX-XXXX'),
  verification_uri: Type.String({ description: 'Where the code is entered' }),
  verification_uri_complete: Secret('The same with the code behind the `#`'),
  expires_in: Type.Integer({ description: 'Seconds until the codes end' }),
  interval: Type.Integer({ description: 'Seconds between two polls' }),
});
export type BegunDeviceSignIn = Static<typeof BegunDeviceSignIn>;

/** The request of a program, and what the caller would give. */
export const DeviceSignIn = Closed({
  id: Id('Identifier of the request'),
  status: OneOf(['waiting', 'approved', 'denied'], 'Whether somebody has decided'),
  client_name: Type.String({ description: 'As the program calls itself; nobody has verified it' }),
  client_address: Type.String({ description: 'Where the program runs' }),
  asked_roles: Type.Array(Role, { description: 'Empty: as many of a member as it is given' }),
  scope: Type.String({ description: 'Where the key acts: `platform`, or the id of a Tenant' }),
  scope_name: Type.String({ description: "`Platform`, or the Tenant's name" }),
  roles: Type.Array(Role, {
    description: 'What the key gets unless the caller chooses: what is asked and the caller holds',
  }),
  allowed_roles: Type.Array(Role, { description: 'Among which the caller may choose' }),
  expires_at: Instant('Until when it can be approved, and the key fetched'),
  key_expires_at: Instant('When the key ends'),
});
export type DeviceSignIn = Static<typeof DeviceSignIn>;

const common = { method: 'POST', idempotent: 'none', of: 'person' } as const;
const byProgram = { ...common, authenticated: false, may: 'anybody', from: 'program' } as const;
const byPerson = { ...common, may: 'signed_in' } as const;
const user_code = Secret('As the program shows it, in any case, with or without the hyphen');

export const beginDeviceSignIn = portalEndpoint({
  id: 'beginDeviceSignIn',
  path: '/portal/api/device-sign-in/begin',
  summary: 'Ask for an API key: get a code that somebody enters in the portal (RFC 8628)',
  ...byProgram,
  body: Closed({
    client_name: Readable(60, 'What asks, as the person shall read it'),
    roles: Type.Optional(
      Roles(
        'What it wants to do; absent: as much as a member gives it. Roles of staff must be named',
      ),
    ),
  }),
  success: { status: 200, schema: BegunDeviceSignIn },
  errors: [],
});

export const pollDeviceSignIn = portalEndpoint({
  id: 'pollDeviceSignIn',
  path: '/portal/api/device-sign-in/token',
  summary: 'Get the API key once somebody has approved; it is made at this call and shown once',
  ...byProgram,
  body: Closed({ device_code: Secret('Of the beginning') }),
  success: { status: 200, schema: NewApiKey },
  errors: ['invalid_state'],
});

export const openDeviceSignIn = portalEndpoint({
  id: 'openDeviceSignIn',
  path: '/portal/api/device-sign-in/open',
  summary: 'Get which program asks with a code, and what it would get; changes nothing',
  ...byPerson,
  body: Closed({ user_code }),
  success: { status: 200, schema: DeviceSignIn },
  errors: ['invalid_state', 'not_found'],
});

export const approveDeviceSignIn = portalEndpoint({
  id: 'approveDeviceSignIn',
  path: '/portal/api/device-sign-in/approve',
  summary: 'Let the program fetch an API key that acts where this session acts',
  ...byPerson,
  stepUp: true,
  body: Closed({
    user_code,
    roles: Type.Optional(Roles('Among `allowed_roles`; absent: `roles` of the request')),
    expires_at: Type.Optional(
      Instant(
        'When the key ends, at most 365 days from now; absent: 90 days. With the role reviewer or admin 24 hours',
      ),
    ),
  }),
  success: { status: 200, schema: DeviceSignIn },
  errors: ['invalid_state', 'not_found'],
});

export const denyDeviceSignIn = portalEndpoint({
  id: 'denyDeviceSignIn',
  path: '/portal/api/device-sign-in/deny',
  summary: 'Refuse the program: it gets no key',
  ...byPerson,
  body: Closed({ user_code }),
  success: { status: 200, schema: DeviceSignIn },
  errors: ['invalid_state', 'not_found'],
});
