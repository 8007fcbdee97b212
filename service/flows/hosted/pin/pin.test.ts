import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { ReplyBody } from '../../../../test/kit/http/http.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { openMarkedSecrets } from '../../../core/marked_secrets.ts';
import { hashSharedPin } from '../../../resources/customers/credentials/pins.ts';

let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
beforeEach(async () => {
  ana = await api.banked('individual');
  const { pool, config } = server.service;
  await pool.query('update pins set hash = $1', [await hashSharedPin(config.pinPeppers, '284617')]);
});

const call = async (path: string, token: string | null, body?: object) => {
  const method = body === undefined && path === '/hosted/api/session' ? 'GET' : 'POST';
  return server.call(method, path, { token, ...(body ? { body } : {}) });
};

async function opened(): Promise<{ bearer: string; view: ReplyBody }> {
  const load = await api.load(ana, 500);
  const { token } = load.confirmation_session;
  const { status, body } = await call('/hosted/api/open', null, { token });
  expect(status).toBe(200);
  return body;
}

test('a right PIN confirms the record, and the result token is exchanged once', async () => {
  const { bearer, view } = await opened();
  expect(view.confirmation).toMatchObject({ type: 'load', amount: 500, total: 500 });
  const { status, body } = await call('/hosted/api/confirm/pin', bearer, { pin: '284617' });
  expect([status, body.verdict, body.view.status]).toEqual([200, 'right', 'completed']);
  const { body: result } = await call('/hosted/api/result', bearer);
  const exchange = await api.post('/v1/sessions/exchange', result);
  expect(exchange).toMatchObject({ status: 'completed', target_status: 'processing' });
});

test('five wrong PINs lock the PIN, also with twenty tries at once', async () => {
  const { bearer } = await opened();
  const tries = await Promise.all(
    Array.from({ length: 20 }, () => call('/hosted/api/confirm/pin', bearer, { pin: '111222' })),
  );
  const verdicts = tries.map(({ body }) => body.verdict);
  expect(verdicts.filter((verdict) => verdict === 'wrong')).toHaveLength(4);
  const { body } = await call('/hosted/api/confirm/pin', bearer, { pin: '284617' });
  expect([body.verdict, body.view.customer.is_pin_locked]).toEqual(['locked', true]);
});

test('a made-up token opens nothing', async () => {
  const token = openMarkedSecrets(randomBytes(32)).newSecret(server.tenant.tenantId, 'st');
  const { status, body } = await call('/hosted/api/open', null, { token });
  expect([status, body.error.code, body.error.details]).toEqual([
    422,
    'session_invalid',
    { reason: 'unknown' },
  ]);
});

test('a page shows that its session has expired, even where the job is late', async () => {
  const { bearer } = await opened();
  await engine.moveClock(601);
  const { body } = await call('/hosted/api/session', bearer);
  expect([body.status, body.time]).toEqual(['expired', null]);
});
