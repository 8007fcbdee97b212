import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';
import { until } from '../../../test/kit/wait.ts';

const server = await openServer({ workers: false });
const { baseUrl, tenant, api } = server;
const env = accountEnv(baseUrl, tenant);
await api.applied('individual');

test('events are listed and one is shown with its record and attempts', async () => {
  const tpay = openTpay(env);
  const { data } = await tpay.json('events', 'list', '--type', 'customer.created');
  const [event] = data;
  const words = await tpay('events', 'get', event.id);
  expect(words.out.join('\n')).toMatch(/type +customer\.created/);
  expect(await tpay.json('events', 'get', event.id)).toMatchObject({ id: event.id, attempts: [] });
  const near = await tpay('events', 'list', '--type', 'customer.create');
  expect([near.code, near.err.at(-1)]).toEqual([2, expect.stringContaining('customer.created')]);
  const unknown = await tpay('events', 'get', 'evt_none');
  expect([unknown.code, unknown.err[0]]).toEqual([1, 'error: there is no event evt_none']);
});

test('resend takes several events, and answers what became of each', async () => {
  const tpay = openTpay(env);
  const { data } = await tpay.json('events', 'list', '--limit', '2');
  const ids = data.map(({ id }: { id: string }) => id);
  const { code, out } = await tpay('events', 'resend', ...ids);
  expect([code, out.length]).toEqual([0, ids.length + 1]);
  expect((await tpay('events', 'resend')).code).toBe(2);
});

test('replay counts first, sends only what is agreed to, and never waits for nobody', async () => {
  const tpay = openTpay(env);
  await api.put('/portal/api/webhook-endpoint', { url: 'http://127.0.0.1:1/hooks' });
  const dry = await tpay.json('events', 'replay', '--since', '1h', '--dry-run');
  expect(dry).toMatchObject({ dry_run: true, events: expect.any(Number) });
  expect(dry.events).toBeGreaterThan(0);
  const alone = await tpay('events', 'replay', '--since', '1h', '--no-input');
  expect([alone.code, alone.err[1]]).toEqual([1, expect.stringContaining('--yes')]);
  const declined = await tpay.with({ ask: async () => 'n' })('events', 'replay', '--since', '1h');
  expect(declined.code).toBe(1);
  const asked: string[] = [];
  const agreeing = tpay.with({ ask: async (question) => `${asked.push(question) && 'y'}` });
  const type = ['--type', 'customer.created'];
  const sent = await agreeing('events', 'replay', '--since', '1h', ...type);
  expect([sent.code, sent.out[0]]).toEqual([
    0,
    expect.stringMatching(/^Sent again: 1 events since/),
  ]);
  expect(asked).toEqual([expect.stringMatching(/^Send 1 events since .* again\? \[y\/N\] $/)]);
  const replay = ['events', 'replay', '--since', '1h', '--yes'];
  expect(await tpay.json(...replay, '--failed')).toMatchObject({ dry_run: true, events: 0 });
  expect(await tpay.json(...replay, '--never-sent')).toMatchObject({ dry_run: false });
  expect((await tpay(...replay, '--failed', '--never-sent')).code).toBe(2);
});

test('logs tail shows calls that pass its filters, with bodies and without secrets', async () => {
  const out: string[] = [];
  const err: string[] = [];
  const stopper = new AbortController();
  const tail = openTpay(env).with({
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    signal: stopper.signal,
  });
  const ended = tail(
    'logs',
    'tail',
    '--path',
    '/v1/customers',
    '--status',
    '2xx',
    '--method',
    'post',
    '--bodies',
  );
  await until(() => err.some((line) => line.startsWith('Following')));
  await api.get('/v1/customers?external_ref=nobody');
  await api.applied('individual');
  await server.service.requestLog.flush();
  await until(() => out.length >= 3);
  stopper.abort();
  expect((await ended).code).toBe(0);
  expect(out[0]).toMatch(/\[201\] {2}POST \/v1\/customers {2}req_\w+ {2}\d+ ms/);
  expect(out.slice(1, 3)).toEqual([
    expect.stringMatching(/^ {2}-->/),
    expect.stringMatching(/^ {2}<--/),
  ]);
  expect(out.join('\n')).not.toMatch(/st_[A-Za-z0-9]{10}|@example/);
  const wrong = await openTpay(env)('logs', 'tail', '--status', 'bad');
  expect(wrong.code).toBe(2);
});

test('the clock is shown with where it can go, moves, and names the events on the way', async () => {
  const tpay = openTpay(env);
  const shown = await tpay.json('clock');
  expect(shown.jumps.map(({ name }: { name: string }) => name)).toContain('next_retry');
  const moved = await tpay.json('clock', 'advance', '25h');
  expect(Date.parse(moved.now) - Date.parse(shown.now)).toBeGreaterThan(25 * 3_600_000 - 1);
  expect(moved.events).toEqual(expect.any(Array));
  const day = await tpay('clock', 'business-day');
  expect([day.code, day.out[0]]).toEqual([
    0,
    expect.stringMatching(/^The Tenant's clock now shows/),
  ]);
  const back = await tpay('clock', 'to', '2020-01-01T00:00:00Z');
  expect([back.code, back.err[0]]).toEqual([1, expect.stringMatching(/^error: parameter_invalid/)]);
  const reset = await tpay('clock', 'reset');
  expect([reset.code, reset.out, reset.err.at(-1)]).toEqual([
    1,
    [],
    expect.stringMatching(/^hint: .*tpay open sandbox.*tenants create/),
  ]);
  for (const args of [
    ['advance', 'soon'],
    ['to', 'tomorrow'],
    ['to', '2030-01-01T00:00:00'],
  ])
    expect((await tpay('clock', ...args)).code).toBe(2);
});
