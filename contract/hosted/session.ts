import Type, { type Static } from 'typebox';
import { Closed, Secret, Text } from '../core/schema.ts';
import { hostedEndpoint } from './endpoint.ts';
import { View } from './view.ts';

/** A session as the hosted page uses it (rules/sessions#8). */

export const openSession = hostedEndpoint({
  id: 'hostedOpen',
  method: 'POST',
  path: '/hosted/api/open',
  summary: 'Open a session by its token, once',
  idempotent: 'none',
  key: 'none',
  body: Closed({
    token: Text(256, 'From the fragment, or the SDK'),
    opener: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{22,64}$',
        description:
          'A random nonce of the page, at least 128 bits in base64url: with it the call may be repeated for 60 s',
      }),
    ),
  }),
  success: {
    status: 200,
    schema: Closed({
      bearer: Secret('Token for the other operations; the page holds it in memory'),
      view: View,
    }),
  },
  errors: ['session_invalid'],
});

export const viewSession = hostedEndpoint({
  id: 'hostedView',
  method: 'GET',
  path: '/hosted/api/session',
  summary: 'Get what the page shows, also after the end',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid'],
});

export const keepAlive = hostedEndpoint({
  id: 'hostedAlive',
  method: 'POST',
  path: '/hosted/api/alive',
  summary: 'Extend the session, up to its maximum lifetime',
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
    'Leave: the session is canceled; its record waits for another session for the grace time',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: View },
  errors: ['session_invalid', 'invalid_state'],
});

export const takeResult = hostedEndpoint({
  id: 'hostedResult',
  method: 'POST',
  path: '/hosted/api/result',
  summary: 'Get a result token for a session that has ended; the previous one becomes invalid',
  idempotent: 'none',
  key: 'bearer',
  success: { status: 200, schema: Closed({ result_token: Secret('For the SDK') }) },
  errors: ['session_invalid', 'invalid_state'],
});

/** The result of a PIN attempt; a wrong PIN is not an error. */
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
