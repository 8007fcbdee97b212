import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { Closed, Secret, Text } from '../core/schema.ts';

export const Token = Closed({
  access_token: Secret('Bearer token of every other operation'),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds that the token lives' }),
  scope: Type.Literal('tenant'),
});
export type Token = Static<typeof Token>;

/**
 * OAuth 2.0 client credentials (rules/security#8). No access token is sent. Fields that it does not know are ignored
 * (RFC 6749, 3.2), and id and secret may stand in an `Authorization: Basic` instead of the form (2.3.1).
 */
export const createToken = endpoint({
  id: 'createToken',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Exchange client credentials for an access token',
  idempotent: 'none',
  authenticated: false,
  bodyType: 'form',
  body: Type.Object({
    grant_type: Type.Literal('client_credentials'),
    client_id: Text(256, 'Issued per environment'),
    client_secret: Text(256, 'Issued per environment; must not be logged'),
  }),
  success: { status: 200, schema: Token },
  errors: ['parameter_missing', 'invalid_client', 'rate_limited', 'internal_error'],
});
