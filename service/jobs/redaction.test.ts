import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import { beforeAll, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import { verifyLedger } from '../invariants/verify.ts';
import { endpointUuid } from '../webhooks/further_table.ts';
import { redactionJob } from './redaction.ts';

const day = 86_400;
const server = await openServer({ manual: true });
const { api, engine } = server;
const tenantId = server.tenant.tenantId;
beforeAll(async () => {
  // No other recurring jobs, so that an advance of years is fast.
  await engine.query(
    `delete from jobs where tenant_id = $1 and ref = $1 and name <> 'event_redaction'`,
  );
});

const redact = (eventsAtOnce: number) =>
  engine.run(redactionJob({ ...server.service, eventsAtOnce }), { ref: tenantId });
const bodiesOf = async (id: string): Promise<string[]> =>
  (
    await engine.query(
      'select id, created_at, object_id, body from events where tenant_id = $1 and object_id = $2 order by id',
      id,
    )
  ).map(unpackEvent);
const further = { name: 'Books', url: 'http://127.0.0.1:9/books', enabled: false };
const left = async (): Promise<number> =>
  (await engine.query(`select 1 from events where tenant_id = $1 and body <> ''`)).length;

test('texts are removed after 400 days, some at a time, with the answers of receivers and the replies that show them; the rows stay', async () => {
  const { customerId } = await api.approved('individual');
  const id = uuid('customer', customerId);
  const [first] = await engine.query(
    'select id from events where tenant_id = $1 order by id limit 1',
  );
  await engine.query(
    `insert into deliveries (tenant_id, event_id, status, attempts, created_at, first_attempt_at,
      last_attempt_at, last_response_status) select tenant_id, id, 'delivered', 1, created_at,
      created_at, created_at, 200 from events where tenant_id = $1 and id = $2`,
    first.id,
  );
  await engine.query(
    `insert into attempts (tenant_id, event_id, number, at, url, request_headers, response_status,
      response_headers, response_body, duration_ms) select tenant_id, id, 1, created_at, 'https://a.test/',
      '{"x":"y"}', 200, '{"x":"y"}', 'thank you', 3 from events where tenant_id = $1 and id = $2`,
    first.id,
  );
  const { id: endpointId } = await api.post('/portal/api/webhook-endpoints', further);
  const endpoint = endpointUuid(endpointId);
  await engine.query(
    `insert into further_deliveries (tenant_id, event_id, endpoint_id, status, attempts, created_at,
      first_attempt_at, last_attempt_at, last_response_status) select tenant_id, event_id, $2, status,
      attempts, created_at, first_attempt_at, last_attempt_at, last_response_status from deliveries
      where tenant_id = $1`,
    endpoint,
  );
  await engine.query(
    `insert into further_attempts (tenant_id, event_id, endpoint_id, number, at, url, request_headers,
      response_status, response_headers, response_body, duration_ms) select tenant_id, event_id, $2, number,
      at, url, request_headers, response_status, response_headers, response_body, duration_ms
      from attempts where tenant_id = $1`,
    endpoint,
  );
  await engine.query(
    `insert into requests (tenant_id, id, at, method, path, status, duration_ms, event_id)
      values ($1, $2, now(), 'POST', '/v1/customers', 201, 1, $2)`,
    first.id,
  );
  const logged = async () => {
    const { data } = await api.get('/portal/api/requests?path=/v1/customers');
    return data.find(({ id }: { id: string }) => id === publicId('request', first.id))
      .response_body;
  };
  await engine.moveClock(399 * day);
  await redact(100);
  expect(await logged()).toMatch(/^\{"id":"/);
  expect((await bodiesOf(id)).every((body) => body.startsWith('{'))).toBe(true);
  const before = await left();
  await engine.moveClock(2 * day);
  const { length: people } = await bodiesOf(id);
  await redact(2);
  expect(await left()).toBe(before - 2);
  // There are more, so it is due again at once.
  await server.workers.jobs.runDueJobs(tenantId);
  expect(await left()).toBe(0);
  expect(await logged()).toBe(null);
  expect(await bodiesOf(id)).toEqual(Array.from({ length: people }, () => ''));
  for (const attempts of ['attempts', 'further_attempts'])
    expect(await engine.query(`select * from ${attempts} where tenant_id = $1`)).toMatchObject([
      {
        number: 1,
        response_status: 200,
        request_headers: '{}',
        response_headers: null,
        response_body: null,
      },
    ]);
  expect(await engine.jobs(tenantId)).toMatchObject([{ name: 'event_redaction' }]);
  // Later events have their text, and the whole history still verifies.
  await api.simulate('customer.in_review', customerId);
  expect((await bodiesOf(id)).at(-1)).toContain('"status":"in_review"');
  const { pool } = server.service;
  expect((await verifyLedger(pool)).violations).toEqual([]);
});

test.each([
  ['deliveries', ''],
  ['further_deliveries', ', (select id from further_endpoints where tenant_id = $1)'],
])('an event that is still to be sent keeps its text: of %s', async (deliveries, endpoint) => {
  await api.approved('individual');
  const [, second] = await engine.query(
    `select id from events where tenant_id = $1 and body <> '' order by id`,
  );
  await engine.query(
    `insert into ${deliveries} (tenant_id, event_id, status, attempts, created_at, due_at, wake_at
        ${endpoint && ', endpoint_id'})
      select tenant_id, id, 'pending', 0, created_at, created_at, '9999-12-31T00:00:00Z' ${endpoint} from events
      where tenant_id = $1 and id = $2`,
    second.id,
  );
  await engine.moveClock(500 * day);
  const before = await left();
  await redact(100);
  expect(await left()).toBe(before - 1);
  await engine.query(
    `update ${deliveries} set wake_at = null, due_at = null where tenant_id = $1 and event_id = $2`,
    second.id,
  );
  await redact(100);
  expect(await left()).toBe(0);
});

test('no statement of the service can change more of an event than its text', async () => {
  await api.approved('individual');
  const { owner, service } = server;
  const where = `where tenant_id = '${tenantId}' and body <> ''`;
  for (const sql of [
    `update events set body = 'other' ${where}`,
    `update events set body = '', type = 'customer.created' ${where}`,
    `update events set created_at = created_at + interval '1 second' ${where}`,
    `delete from events ${where}`,
    'truncate events',
  ]) {
    await expect(owner.query(sql), sql).rejects.toThrow('events is append-only');
    await expect(service.pool.query(sql), sql).rejects.toThrow(
      'permission denied for table events',
    );
  }
  expect(await left()).toBeGreaterThan(0);
});
