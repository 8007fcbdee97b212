import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

const nonce = () => randomBytes(16).toString('base64url');
const open = (body: object) => server.call('POST', '/hosted/api/open', { token: null, body });

let made = 100;
async function newToken(): Promise<string> {
  made += 1;
  const { onboarding_session } = await api.post('/v1/customers', {
    type: 'individual',
    external_ref: nonce(),
    email: 'ana@example.com',
    mobile_number: `+1202555${String(made).padStart(4, '0')}`,
  });
  return onboarding_session.token;
}

test('the page that opened a session may open it again for a minute, with the same bearer, and nobody else may', async () => {
  const token = await newToken();
  const opener = nonce();
  const first = await open({ token, opener });
  const again = await open({ token, opener });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body.bearer).toBe(first.body.bearer);
  const look = await server.call('GET', '/hosted/api/session', { token: again.body.bearer });
  expect(look.status).toBe(200);
  expect(refusalLine(await open({ token, opener: nonce() }))).toBe('session_invalid used');
  expect(refusalLine(await open({ token }))).toBe('session_invalid used');
  await engine.moveClock(60);
  expect(refusalLine(await open({ token, opener }))).toBe('session_invalid used');
});

test('a session that was opened without a nonce is opened once', async () => {
  const token = await newToken();
  expect((await open({ token })).status).toBe(200);
  expect(refusalLine(await open({ token, opener: nonce() }))).toBe('session_invalid used');
});

test('a nonce that could be guessed is refused', async () => {
  const reply = await open({ token: await newToken(), opener: 'short' });
  expect([reply.status, reply.body.error.param]).toEqual([400, 'opener']);
});
