import Type from 'typebox';
import { Closed, Nullable } from '../core/schema.ts';
import { hostedEndpoint } from './endpoint.ts';

/** The identity provider's own step, such as a document and a photo, of somebody who has applied (rules/identity#16). */
export const openIdentityStep = hostedEndpoint({
  id: 'hostedOpenIdentityStep',
  method: 'POST',
  path: '/hosted/api/identity-step',
  summary: "Get a token that opens the identity provider's own step",
  idempotent: 'none',
  key: 'bearer',
  body: Closed({}),
  success: {
    status: 200,
    schema: Closed({
      /** Null: the provider waits for nothing more of the applicant. */
      link_token: Nullable(Type.String({ 'x-secret': true })),
    }),
  },
  errors: ['session_invalid', 'invalid_state'],
});
