import { expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../test/kit/tpay.ts';

const server = await openServer({ workers: false });

test('production-rules switches a sandbox to the answers of production and back, with the client alone', async () => {
  const tpay = openTpay(accountEnv(server.baseUrl, server.tenant));
  expect(await tpay.json('production-rules')).toMatchObject({ enabled: false });
  expect((await tpay('production-rules', 'on')).out[0]).toMatch(/answers as production would/);
  const refused = await tpay('logs', 'list');
  expect([refused.code, refused.err[0], refused.err.at(-1)]).toEqual([
    1,
    expect.stringMatching(/sign in/),
    expect.stringMatching(/^hint: production rules are on.*: tpay production-rules off$/),
  ]);
  expect(await tpay.json('production-rules', 'show')).toMatchObject({ enabled: true });
  expect((await tpay('production-rules', 'off')).out[0]).toMatch(/takes what production refuses/);
  await server.call('POST', '/v1/sandbox/simulate/session.completed', {
    body: { object_id: (await server.api.customer('individual')).id },
  });
  await server.service.requestLog.flush();
  const calls = await tpay('logs', 'list', '--path', '/v1/sandbox');
  expect([calls.code, calls.out[0], calls.out[1]]).toEqual([
    0,
    expect.stringContaining('REFUSED_IN_PRODUCTION'),
    expect.stringContaining('sandbox_only'),
  ]);
});

test('with the production rules on a client alone goes on playing the outside, and sees what came of it', async () => {
  const tenant = await server.anotherTenant();
  const { id } = (await server.apiOf(tenant).customer('individual')).onboarding_session;
  const tpay = openTpay(accountEnv(server.baseUrl, tenant));
  await tpay.json('production-rules', 'on');
  await tpay.json('simulate', 'session.completed', id);
  await tpay.json('clock');
  await tpay.json('clock', 'advance', '1h');
  await tpay.json('trigger', 'customer.created');
  const events: { type: string }[] = (await tpay.json('events', 'list')).data;
  expect(events.map(({ type }) => type)).toContain('customer.created');
});

test('a client that is refused where production rules are off is told nothing of them', async () => {
  const other = { ...server.tenant, client_secret: 'cs_other' };
  const tpay = openTpay(accountEnv(server.baseUrl, other));
  expect((await tpay('clock')).err.at(-1)).toBe(
    'hint: See which credentials it sends with: tpay status',
  );
});
