import { type EventType, eventTypes } from '@tenant-payments/contract/catalog.ts';
import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';

const server = await openServer({ workers: false });
const env = accountEnv(server.baseUrl, server.tenant);
/** They come of time alone, or of what a customer fills in. */
const samples: readonly EventType[] = [
  'owner.invited',
  'statement.available',
  'reconciliation_report.available',
];

test('each type is triggered, with a real record where calls can make one', async () => {
  const tpay = openTpay(env);
  const sent = [];
  for (const type of eventTypes) sent.push(await tpay.json('trigger', type));
  const wanted = eventTypes.map((type) => ({ type, sample: samples.includes(type) }));
  expect(sent.map(({ type, sample }) => ({ type, sample }))).toEqual(wanted);
  const { id, type, sample } = sent[0];
  expect(await tpay.json('events', 'get', id)).toMatchObject({ type, sample });
});

test('--object shows an own record, --set changes it in the event alone', async () => {
  const tpay = openTpay(env);
  const { id } = await server.api.applied('individual');
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
  const { id } = await server.api.applied('individual');
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
  const { id } = await server.api.applied('individual');
  expect((await tpay('open', id)).out).toEqual([`${server.baseUrl}/portal/record/${id}`]);
  expect((await tpay('open')).out).toEqual([`${server.baseUrl}/portal`]);
  expect(await tpay.json('open', 'docs')).toEqual({ url: `${server.baseUrl}/docs` });
  const near = await tpay('open', 'delivries');
  expect([near.code, near.err.at(-1)]).toEqual([2, 'hint: Did you mean deliveries?']);
});
