import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '@tenant-payments/contract/catalog.ts';
import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';

const server = await openServer({ workers: false });
/** With the fee of a new sandbox, which leaves a shop less than it was paid. */
const tenant = await server.anotherTenant({ sample: true });
const env = accountEnv(server.baseUrl, tenant);
const api = server.apiOf(tenant);

test('each type is triggered in a sandbox as it begins, with a real record', async () => {
  const tpay = openTpay(env);
  const sent = [];
  for (const type of eventTypes) sent.push(await tpay.json('trigger', type, '--yes'));
  const wanted = eventTypes.map((type) => ({ type, sample: false }));
  expect(sent.map(({ type, sample }) => ({ type, sample }))).toEqual(wanted);
  const { id, type, sample } = sent[0];
  expect(await tpay.json('events', 'get', id)).toMatchObject({ type, sample });
});

test.each(['statement.available', 'reconciliation_report.available'])(
  '%s moves the clock only for whoever agrees, and says so first',
  async (type) => {
    const tpay = openTpay(env);
    const { now } = await tpay.json('clock');
    const { code, err } = await tpay('trigger', type);
    expect([code, err[0]]).toEqual([
      1,
      expect.stringMatching(/^error: the Tenant's clock would move/),
    ]);
    expect(err[1]).toMatch(/--yes, or send an example with --sample/);
    const asked: string[] = [];
    const declined = await tpay.with({
      ask: async (question) => {
        asked.push(question);
        return 'n';
      },
    })('trigger', type);
    expect([declined.code, asked]).toEqual([
      1,
      [expect.stringMatching(/^Move the Tenant's clock/)],
    ]);
    const after = await tpay.json('clock');
    expect(Date.parse(after.now) - Date.parse(now)).toBeLessThan(60_000);
    expect(await tpay.json('trigger', type, '--sample')).toMatchObject({ type, sample: true });
  },
);

test('a statement is triggered on the last day of a month too, when the month is closed next morning', async () => {
  const tpay = openTpay(env);
  const now = new Date((await tpay.json('clock')).now);
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0, 17));
  await api.advance(lastDay.toISOString());
  const sent = await tpay.json('trigger', 'statement.available', '--yes');
  expect(sent).toMatchObject({ type: 'statement.available', sample: false });
});

test('--object shows an own record, --set changes it in the event alone', async () => {
  const tpay = openTpay(env);
  const { id } = await api.applied('individual');
  const sent = await tpay.json(
    'trigger',
    'customer.approved',
    '--object',
    id,
    '--set',
    'pin_locked=true',
  );
  expect(sent).toMatchObject({ object_id: id, sample: true });
  const event = await tpay.json('events', 'get', sent.id);
  expect(event.data.object).toMatchObject({ id, pin_locked: true });
  expect(await tpay.json('customers', 'get', id)).toMatchObject({ pin_locked: false });
  const alone = await tpay('trigger', 'customer.approved', '--set', 'pin_locked=true');
  expect(alone.code).toBe(2);
});

test('a near miss is told what was meant', async () => {
  const { code, err } = await openTpay(env)('trigger', 'payment.complete');
  expect([code, err.at(-1)]).toEqual([
    2,
    expect.stringMatching(/^hint: Did you mean payment\.completed/),
  ]);
});

test('simulate lists what is possible of a record, does it, and names the events', async () => {
  const tpay = openTpay(env);
  const { id } = await api.applied('individual');
  const { data } = await tpay.json('simulate', id);
  const events = data.map(({ event }: { event: string }) => event);
  expect(events).toContain('customer.approved');
  expect(events).not.toContain('customer.pending');
  const done = await tpay('simulate', 'customer.approved', id);
  expect([done.code, done.out.join('\n')]).toEqual([
    0,
    expect.stringContaining('customer.approved  evt_'),
  ]);
  const again = await tpay('simulate', 'customer.approved', id);
  expect([again.code, again.err.join('\n')]).toEqual([
    1,
    expect.stringContaining(`possible: tpay simulate customer.in_review ${id}`),
  ]);
  const near = await tpay('simulate', 'customer.approve', id);
  expect([near.code, near.err.at(-1)]).toEqual([2, expect.stringContaining('customer.approved')]);
  expect((await tpay('simulate', 'customer.approved')).code).toBe(2);
});

test('open prints the page of a name or an id', async () => {
  const tpay = openTpay(env);
  const { id } = await api.applied('individual');
  expect((await tpay('open', id)).out).toEqual([`${server.baseUrl}/portal/record/${id}`]);
  expect((await tpay('open')).out).toEqual([`${server.baseUrl}/portal`]);
  expect(await tpay.json('open', 'docs')).toEqual({ url: `${server.baseUrl}/docs` });
  const near = await tpay('open', 'delivries');
  expect([near.code, near.err.at(-1)]).toEqual([2, 'hint: Did you mean deliveries?']);
});

test('open makes a fresh link that signs in, to the sandbox on this machine alone', async () => {
  const { home } = openTpay();
  const { token: _, tenantId: __, ...facts } = tenant;
  writeFileSync(join(home, 'sandbox.json'), JSON.stringify({ ...facts, base_url: server.baseUrl }));
  writeFileSync(join(home, 'operator.key'), `${server.operatorKey}\n`);
  const tpay = openTpay({ DATA_DIR: home });
  const links = [(await tpay.json('open')).url, (await tpay.json('open')).url];
  for (const url of links) expect(url).toMatch(/\/portal\/sign-in#link=tpl_/);
  expect(links[0]).not.toBe(links[1]);
  const byKey = await server.call('POST', '/portal/api/sandbox/sign-in-link', {
    token: tenant.token,
    body: { client_id: tenant.client_id },
  });
  expect(byKey.status).toBe(401);
  writeFileSync(join(home, 'operator.key'), 'ok_wrong');
  expect((await tpay('open')).code).toBe(1);
});

test('events and calls are listed with their record, delivery and time', async () => {
  const tpay = openTpay(env);
  const { object_id } = await tpay.json('trigger', 'customer.created');
  const events = await tpay('events', 'list', '--type', 'customer.created', '--limit', '1');
  expect(events.out[0]).toMatch(/^ID +TYPE +RECORD +DELIVERY +CREATED_AT$/);
  expect(events.out[1]).toMatch(new RegExp(`${object_id} +none, 0 attempts +20`));
  await server.service.requestLog.flush();
  const calls = await tpay('logs', 'list', '--limit', '1');
  expect(calls.out[0]).toMatch(/^ID +METHOD +PATH +STATUS +CODE +AT$/);
});
