import Type, { type Static } from 'typebox';
import { Closed, Secret, Text } from '../core/schema.ts';
import { hostedEndpoint } from './endpoint.ts';
import { View } from './view.ts';

/** A session in the customer's hands (decisions 1.1, Session). */

export const openSession = hostedEndpoint({
  id: 'hostedOpen',
  method: 'POST',
  path: '/hosted/api/open',
  summary: 'Open a session by its token, once',
  idempotent: 'none',
  key: 'none',
  body: Closed({ token: Text(256, 'From the fragment, or the SDK') }),
  success: {
    status: 200,
    schema: Closed({ bearer: Secret('Held in memory by the page'), view: View }),
  },
  errors: ['session_invalid'],
});

export const viewSession = hostedEndpoint({
  id: 'hostedView',
  method: 'GET',
  path: '/hosted/api/session',
  summary: 'What the page shows now, also after the end',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid'],
});

export const keepAlive = hostedEndpoint({
  id: 'hostedAlive',
  method: 'POST',
  path: '/hosted/api/alive',
  summary: 'A sign of life: the session ends later, up to its longest life',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid', 'invalid_state'],
});

export const leaveSession = hostedEndpoint({
  id: 'hostedLeave',
  method: 'POST',
  path: '/hosted/api/leave',
  summary:
    'Leave: the session is canceled; its record waits for another session as long as its grace',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid', 'invalid_state'],
});

export const takeResult = hostedEndpoint({
  id: 'hostedResult',
  method: 'POST',
  path: '/hosted/api/result',
  summary: 'The result token of a session that has ended; the one before is worth nothing',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: Closed({ result_token: Secret('For the SDK') }) },
  errors: ['session_invalid', 'invalid_state'],
});

/** What became of a PIN, right or wrong: neither is an error. */
export const Verdict = Closed({
  verdict: Type.Union([
    Type.Literal('right'),
    Type.Literal('wrong'),
    Type.Literal('locked', { description: 'pin_reset unlocks it; a passkey still works' }),
  ]),
  attempts_left: Type.Integer({ minimum: 0, maximum: 5 }),
  view: View,
});
export type Verdict = Static<typeof Verdict>;
