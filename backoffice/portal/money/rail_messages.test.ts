import { createLoad } from '@tenant-payments/service/resources/loads/create.ts';
import { getLoad } from '@tenant-payments/service/resources/loads/read.ts';
import { beforeAll, expect, test } from 'vitest';
import { answer } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { receiptOf } from '../../../test/kit/signed_provider.ts';

const server = await openServer({ own: true, manual: true, alone: true, onLog: () => {} });
const { api, engine, providers, service } = server;
const { tenantId } = server.tenant;
const reviewer = await portalPerson(server, 'platform', ['reviewer']);
const support = await portalPerson(server, 'platform', ['support']);

let ana: Person;
beforeAll(async () => {
  ana = await api.banked('individual');
});

const settled = { outcome: 'settled', amount: 100_00 } as const;

/** A message that came, and its path in the console. */
async function came(
  orderId: string,
  outcome: Parameters<typeof receiptOf>[0]['answer'] = settled,
  of = tenantId,
) {
  const id = crypto.randomUUID();
  const receipt = receiptOf({ id, tenantId: of, orderId, answer: outcome });
  await providers.taking.take({ name: 'mybank' }, [receipt], { headers: {}, body: null });
  const { rows } = await service.pool.query<{ id: string; tenant_id: string }>(
    'select id, tenant_id from rail_messages where message_id = $1',
    [id],
  );
  const [row] = rows;
  const owner = row?.tenant_id === tenantId ? tenantId : 'platform';
  return { id, path: `/rail-messages/${owner}/${row?.id}` };
}

async function ordered() {
  const load = await engine.run(createLoad, { customer_id: ana.customerId, amount: 100_00 });
  const loadId = uuid('load', load.id);
  await engine.run(answer('confirm'), { id: loadId });
  const [order] = await engine.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    loadId,
  );
  const status = async () => (await getLoad(engine.context(), { id: String(load.id) })).status;
  return { loadId, orderId: order?.id ?? '', status };
}

/** The order is not known yet, as after a restore, until it is put back. */
async function unknownYet(outcome?: Parameters<typeof came>[1]) {
  const load = await ordered();
  const hide = 'update instructions set tenant_id = $2 where tenant_id = $1 and id = $3';
  const nobody = crypto.randomUUID();
  await server.owner.query(hide, [tenantId, nobody, load.orderId]);
  const message = await came(load.orderId, outcome);
  const putBack = () => server.owner.query(hide, [nobody, tenantId, load.orderId]);
  return { ...load, ...message, putBack };
}

test('the messages that did nothing are listed with what they said, also of no Tenant', async () => {
  const orderId = crypto.randomUUID();
  const [one, other] = [await came(orderId), await came(orderId, settled, crypto.randomUUID())];
  await came((await ordered()).orderId);
  const { body } = await reviewer.ask('GET', '/rail-messages');
  const ofThese = body.data.filter(({ record }: { record: string }) => record === orderId);
  expect(ofThese).toMatchObject([
    { message_id: one.id, tenant_id: tenantId, state: 'parked', result: 'unknown' },
    { message_id: other.id, tenant_id: null, tenant_name: null, state: 'parked' },
  ]);
  expect(body.data.every(({ state }: { state: string }) => state !== 'taken')).toBe(true);
  for (const { path, id } of [one, other])
    expect((await reviewer.ask('GET', path)).body.said).toEqual({ id, orderId, ...settled });
});

test('a replay does what the message could not, once, and is in the audit', async () => {
  const { path, putBack, status, loadId } = await unknownYet();
  expect((await reviewer.ask('POST', `${path}/replay`)).body).toMatchObject({
    state: 'parked',
    result: 'unknown',
    replays: 1,
  });
  await putBack();
  const both = await Promise.all([1, 2].map(() => reviewer.ask('POST', `${path}/replay`)));
  expect(both.map(({ status: code }) => code).sort()).toContain(200);
  expect((await reviewer.ask('GET', path)).body).toMatchObject({ state: 'taken', replays: 2 });
  expect([await status(), await engine.events(loadId)]).toMatchObject(['settled', { length: 3 }]);
  expect((await reviewer.ask('POST', `${path}/replay`)).body.error.code).toBe('invalid_state');
  const { rows } = await service.control.query(
    `select act, record from control.audit where act = 'replayRailMessage' and actor_id = $1`,
    [reviewer.id],
  );
  expect(rows.length).toBeGreaterThan(1);
});

test('a timeout that is replayed fails nothing before the bank was asked', async () => {
  const { path, putBack, status, orderId } = await unknownYet({
    outcome: 'failed',
    reason: 'TM01',
  });
  await putBack();
  expect((await reviewer.ask('POST', `${path}/replay`)).body).toMatchObject({
    state: 'taken',
    result: 'queried',
  });
  expect([await status(), (await engine.jobs(orderId)).map(({ name }) => name)]).toEqual([
    'processing',
    expect.arrayContaining(['order_query']),
  ]);
});

test('a message that contradicted its record is decided anew by a replay, and moves nothing while it still does', async () => {
  const load = await ordered();
  await came(load.orderId);
  const late = await came(load.orderId, { outcome: 'failed', reason: 'AC04' });
  for (const replays of [1, 2])
    expect((await reviewer.ask('POST', `${late.path}/replay`)).body).toMatchObject({
      state: 'parked',
      result: 'contradiction',
      replays,
    });
  expect(await load.status()).toBe('settled');
});

test('a message is closed once, with a reason', async () => {
  const { path } = await came(crypto.randomUUID());
  expect((await reviewer.ask('POST', `${path}/close`, {})).body.error.code).toBe(
    'parameter_missing',
  );
  const reason = 'A test of the bank';
  expect((await reviewer.ask('POST', `${path}/close`, { reason })).body).toMatchObject({
    close_reason: reason,
    closed_by: expect.any(String),
  });
  for (const act of ['close', 'replay'])
    expect(
      (await reviewer.ask('POST', `${path}/${act}`, act === 'close' ? { reason } : {})).body.error,
    ).toMatchObject({ code: 'invalid_state', details: { current_status: 'closed' } });
  const { body } = await reviewer.ask('GET', '/rail-messages?state=closed');
  expect(body.data).toHaveLength(1);
});

test('support does not see them, and what is not there is 404', async () => {
  expect((await support.ask('GET', '/rail-messages')).status).toBe(403);
  for (const path of [`${tenantId}/${crypto.randomUUID()}`, 'nobody/x', `platform/${tenantId}`])
    expect((await reviewer.ask('GET', `/rail-messages/${path}`)).status).toBe(404);
});
