import Type, { type Static } from 'typebox';
import { Closed } from '../core/schema.ts';
import { hostedEndpoint } from './endpoint.ts';
import { Verdict } from './session.ts';
import { View } from './view.ts';

/** payment_confirm: confirm by passkey or PIN, or decline. */

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
  summary: 'Confirm the record by PIN; five wrong PINs lock it',
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
  summary: 'Get a challenge for the record and its amount, valid once',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: PasskeyOptions },
  errors: ['session_invalid', 'invalid_state'],
});

export const confirmByPasskey = hostedEndpoint({
  id: 'hostedConfirmByPasskey',
  method: 'POST',
  path: '/hosted/api/confirm/passkey',
  summary: 'Confirm the record by passkey',
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
  summary: 'Decline: the record fails at once with confirmation_declined',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid', 'invalid_state'],
});
