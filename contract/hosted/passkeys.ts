import { Closed, IdInput } from '../core/schema.ts';
import { PasskeyAnswer, PasskeyOptions, Pin } from './confirm.ts';
import { hostedEndpoint } from './endpoint.ts';
import { Verdict } from './session.ts';
import { View } from './view.ts';

/** Passkeys are added, proven, listed and removed (rules/hosted#36). */

export const newPasskeyOptions = hostedEndpoint({
  id: 'hostedNewPasskeyOptions',
  method: 'POST',
  path: '/hosted/api/passkeys/options',
  summary: 'Get the options to create a passkey; only after a correct PIN',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: PasskeyOptions },
  errors: ['session_invalid', 'invalid_state'],
});

export const addPasskey = hostedEndpoint({
  id: 'hostedAddPasskey',
  method: 'POST',
  path: '/hosted/api/passkeys',
  summary: 'Store the passkey that the browser created',
  idempotent: 'none',
  key: 'bearer',
  body: PasskeyAnswer,
  success: { status: 200, schema: View },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});

export const proveByPin = hostedEndpoint({
  id: 'hostedProveByPin',
  method: 'POST',
  path: '/hosted/api/proof/pin',
  summary: 'Prove by PIN who is at the page, in contact_change; five wrong PINs lock it',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({ pin: Pin }),
  success: { status: 200, schema: Verdict },
  errors: ['session_invalid', 'invalid_state'],
});

export const proofChallenge = hostedEndpoint({
  id: 'hostedProofChallenge',
  method: 'POST',
  path: '/hosted/api/proof/passkey/options',
  summary: 'Get a challenge for a passkey, in contact_change and pin_reset, valid once',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: PasskeyOptions },
  errors: ['session_invalid', 'invalid_state'],
});

export const proveByPasskey = hostedEndpoint({
  id: 'hostedProveByPasskey',
  method: 'POST',
  path: '/hosted/api/proof/passkey',
  summary: 'Prove by passkey who is at the page; a PIN reset keeps this passkey',
  idempotent: 'none',
  key: 'bearer',
  body: PasskeyAnswer,
  success: { status: 200, schema: View },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});

export const removePasskey = hostedEndpoint({
  id: 'hostedRemovePasskey',
  method: 'POST',
  path: '/hosted/api/passkeys/:id/remove',
  summary: 'Remove a passkey, in contact_change, after PIN or passkey in the same session',
  idempotent: 'none',
  key: 'bearer',
  params: Closed({ id: IdInput('Passkey') }),
  success: { status: 200, schema: View },
  errors: ['not_found', 'session_invalid', 'invalid_state'],
});

export const finishPasskeys = hostedEndpoint({
  id: 'hostedFinishPasskeys',
  method: 'POST',
  path: '/hosted/api/passkeys/finish',
  summary: 'Complete contact_change once the passkeys are as the customer wants them',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid', 'invalid_state'],
});
