import Type, { type Static } from 'typebox';
import { Closed } from '../core/schema.ts';
import { hostedEndpoint } from './endpoint.ts';
import { Verdict } from './session.ts';
import { View } from './view.ts';

/** payment_confirm: a passkey first, a PIN always one step away, declining a choice of its own. */

export const Pin = Type.String({
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
  'x-secret': true,
});

/** The JSON forms of WebAuthn Level 3, as browser and server libraries exchange them. */
const Options = Type.Record(Type.String(), Type.Unknown());
const Credential = Type.Record(Type.String(), Type.Unknown());

export const PasskeyOptions = Closed({ options: Options });
export const PasskeyAnswer = Closed({ credential: Credential });
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

export const confirmByPin = hostedEndpoint({
  id: 'hostedConfirmByPin',
  method: 'POST',
  path: '/hosted/api/confirm/pin',
  summary: 'Confirm the record by PIN; five wrong ones lock it',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({ pin: Pin }),
  success: { status: 200, schema: Verdict },
  errors: ['session_invalid', 'invalid_state'],
});

export const passkeyChallenge = hostedEndpoint({
  id: 'hostedPasskeyChallenge',
  method: 'POST',
  path: '/hosted/api/confirm/passkey/options',
  summary: 'A challenge bound to the record and its amount, good once',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: PasskeyOptions },
  errors: ['session_invalid', 'invalid_state'],
});

export const confirmByPasskey = hostedEndpoint({
  id: 'hostedConfirmByPasskey',
  method: 'POST',
  path: '/hosted/api/confirm/passkey',
  summary: 'Confirm the record by the answer to the challenge',
  idempotent: 'none',
  key: 'bearer',
  body: PasskeyAnswer,
  success: { status: 200, schema: View },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});

export const declineRecord = hostedEndpoint({
  id: 'hostedDecline',
  method: 'POST',
  path: '/hosted/api/confirm/decline',
  summary: 'Decline: the record ends at once, confirmation_declined',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid', 'invalid_state'],
});

export const newPasskeyOptions = hostedEndpoint({
  id: 'hostedNewPasskeyOptions',
  method: 'POST',
  path: '/hosted/api/passkeys/options',
  summary: 'What the browser needs to make a passkey; after a right PIN alone',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: PasskeyOptions },
  errors: ['session_invalid', 'invalid_state'],
});

export const addPasskey = hostedEndpoint({
  id: 'hostedAddPasskey',
  method: 'POST',
  path: '/hosted/api/passkeys',
  summary: 'Keep the passkey that the browser made',
  idempotent: 'none',
  key: 'bearer',
  body: PasskeyAnswer,
  success: { status: 200, schema: View },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});
