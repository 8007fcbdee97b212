import { randomBytes } from 'node:crypto';
import { openMarkedSecrets } from '@tenant-payments/engine/marked_secrets.ts';
import { beforeEach, expect, test } from 'vitest';
import { sandboxToolsOf } from '../../../../start/composition.ts';
import type { ReplyBody } from '../../../../test/kit/http/http.ts';
import { uuid } from '../../../../test/kit/ids.ts';
import { code, identity } from '../../../../test/kit/pages/applicant.ts';
import { openHostedPages } from '../../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { hashSharedPin } from '../../../resources/customers/credentials/pins.ts';
import { readView } from '../view/view.ts';

let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
beforeEach(async () => {
  ana = await api.banked('individual');
  const hash = await hashSharedPin(server.service.config.pinPeppers, '284617');
  await engine.query('update pins set hash = $2 where tenant_id = $1', hash);
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

test('a page is sent the PIN that the sandbox gave, never one that was set, and none in production', async () => {
  const pages = openHostedPages(server);
  const shownTo = async (look: () => Promise<ReplyBody>) => (await look()).customer.sandbox_pin;
  const page = await pages.load(ana);
  expect(await shownTo(page.look)).toBe('284617');

  const { service } = server;
  const config = { ...service.config, environment: 'production' } as const;
  const sandboxTools = sandboxToolsOf({ ...service, config });
  const inProduction = { ...service, environment: config.environment, sandboxTools };
  const sessionId = uuid('session', page.view.session_id);
  const view = await readView(inProduction, server.tenant.tenantId, sessionId);
  expect(view.customer.sandbox_pin).toBeNull();
  expect(JSON.stringify(view)).not.toContain('284617');

  await api.simulate('session.completed', (await api.session('pin_reset', ana)).id);
  expect(await shownTo(page.look)).toBe('284617');
  const reset = await pages.flow('pin_reset', ana.customerId);
  await reset.ask('/code', {});
  await reset.ask('/code/check', { code });
  expect((await reset.ask('/pin-reset', { ...identity, pin: '295731' })).status).toBe(200);
  expect(await shownTo(page.look)).toBeNull();
});
