import { Closed, Instant, Nullable, Secret, Text } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Single sign-on by OpenID Connect, of a Tenant or of the platform (rules/single-sign-on). */

const trusted =
  "The provider's addresses are the organization's own: one counts where the provider does not say `email_verified`";
const issuer = 'Issuer identifier of the provider, as its discovery document has it';

export const IdentityProvider = Closed({
  scope: Type.String({ description: '`platform`, or the id of the Tenant' }),
  issuer: Nullable(Type.String({ description: `${issuer}; null: single sign-on is not set up` })),
  client_id: Nullable(Type.String({ description: 'This service at the provider' })),
  required: Type.Boolean({
    description: 'Nobody acts here after another sign-in, except the last owner or admin',
  }),
  trust_email: Type.Boolean({ description: trusted }),
  sign_in_url: Type.String({ description: 'Where the people of the scope sign in by it' }),
  redirect_uri: Type.String({ description: 'The only one to allow at the provider' }),
  identities: Type.Integer({ minimum: 0, description: 'How many people have signed in by it' }),
  created_at: Nullable(Instant('When it was set up')),
  updated_at: Nullable(Instant('When it was last changed')),
});
export type IdentityProvider = Static<typeof IdentityProvider>;

export const SignInAddress = Closed({
  redirect_url: Secret('Where the browser goes next, at the provider; it works once'),
});
export type SignInAddress = Static<typeof SignInAddress>;

/** A page of the portal or the console: no other host, no query. */
const ReturnTo = Type.Optional(
  Type.String({
    maxLength: 200,
    pattern: '^/(portal|console)(/[A-Za-z0-9_-]+)*$',
    description: 'The page to open afterwards; default `/portal`',
  }),
);

const path = '/portal/api/single-sign-on';
const managed = { idempotent: 'none', may: ['owner', 'admin'], of: 'person' } as const;

export const getSingleSignOn = portalEndpoint({
  id: 'getSingleSignOn',
  method: 'GET',
  path,
  summary: 'Get the identity provider of the Tenant or the platform where the caller acts',
  ...managed,
  success: { status: 200, schema: IdentityProvider },
  errors: [],
});

export const putSingleSignOn = portalEndpoint({
  id: 'putSingleSignOn',
  method: 'PUT',
  path,
  summary: 'Set the identity provider; its discovery document is read first',
  ...managed,
  stepUp: true,
  body: Closed({
    issuer: Text(500, issuer),
    client_id: Text(255, 'This service at the provider'),
    client_secret: Type.Optional(
      Secret('Stored sealed, never shown; absent: as before, for the same issuer and client'),
    ),
    required: Type.Optional(
      Type.Boolean({
        description: 'Default false. true is taken once somebody has signed in by this provider',
      }),
    ),
    trust_email: Type.Optional(Type.Boolean({ description: `Default false. ${trusted}` })),
  }),
  success: { status: 200, schema: IdentityProvider },
  errors: ['invalid_state'],
});

export const removeSingleSignOn = portalEndpoint({
  id: 'removeSingleSignOn',
  method: 'DELETE',
  path,
  summary: 'Remove the identity provider; ends the sessions that it opened, except this one',
  ...managed,
  stepUp: true,
  success: { status: 200, schema: IdentityProvider },
  errors: ['invalid_state'],
});

export const beginSingleSignOn = portalEndpoint({
  id: 'beginSingleSignOn',
  method: 'POST',
  path: `${path}/begin`,
  summary: 'Begin a sign-in at the identity provider of a Tenant or the platform',
  idempotent: 'none',
  authenticated: false,
  may: 'anybody',
  of: 'person',
  body: Closed({
    scope: Text(64, '`platform`, or the id of the Tenant'),
    return_to: ReturnTo,
  }),
  success: { status: 200, schema: SignInAddress },
  errors: ['not_found', 'invalid_state'],
});

export const beginSingleSignOnLink = portalEndpoint({
  id: 'beginSingleSignOnLink',
  method: 'POST',
  path: `${path}/link`,
  summary: "Begin to link the caller's account at the provider of the scope where the caller acts",
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  stepUp: true,
  body: Closed({ return_to: ReturnTo }),
  success: { status: 200, schema: SignInAddress },
  errors: ['invalid_state'],
});

export const beginSingleSignOnStepUp = portalEndpoint({
  id: 'beginSingleSignOnStepUp',
  method: 'POST',
  path: `${path}/step-up`,
  summary: 'Begin a fresh sign-in at the provider that opened this session, to step up',
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  body: Closed({ return_to: ReturnTo }),
  success: { status: 200, schema: SignInAddress },
  errors: ['invalid_state'],
});
