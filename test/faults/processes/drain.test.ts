import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchToken } from '../../kit/http/http.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { application } from '../../kit/person.ts';
import { npmStart } from '../../kit/processes/built.ts';
import {
  callerAt,
  type Deployment,
  openDeployment,
  type ServiceProcess,
  terminate,
} from '../../kit/processes/processes.ts';
import { until } from '../../kit/wait.ts';

const callers = 12;

let deployment: Deployment;
let receiver: TestReceiver;
let service: ServiceProcess;
const start = () => deployment.start('api,worker', {}, { command: npmStart });
beforeAll(async () => {
  deployment = await openDeployment();
  receiver = await startTestReceiver();
  service = await start();
  const call = await callerAt(service, await deployment.facts());
  const body = { url: receiver.url, enabled: true };
  expect((await call('PUT', '/portal/api/webhook-endpoint', { body })).status).toBe(200);
});
afterAll(async () => {
  await receiver.close();
  await deployment.stop();
});

interface Asked {
  readonly ref: string;
  /** Null: no reply came. */
  readonly status: number | null;
}

/** Makes customers one after the other until the service takes no more connections. */
async function ask(baseUrl: string, token: string, asked: Asked[]): Promise<void> {
  for (;;) {
    const body = application('individual');
    const status = await fetch(`${baseUrl}/v1/customers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': body.external_ref,
      },
      body: JSON.stringify(body),
    }).then(
      async (reply) => {
        await reply.arrayBuffer();
        return reply.status;
      },
      () => null,
    );
    asked.push({ ref: body.external_ref, status });
    if (status === null) return;
  }
}

/** How often the receiver saw each event, and how many attempts are recorded. */
async function attemptsOf({ pool }: Deployment) {
  const { rows } = await pool.query<{ event: string; attempts: number; recorded: number }>(
    `select 'evt_' || replace(d.event_id::text, '-', '') as event, d.attempts,
      (select count(*)::int from attempts a
        where a.tenant_id = d.tenant_id and a.event_id = d.event_id) as recorded
     from deliveries d`,
  );
  const seen = new Map<string, number>();
  for (const { event } of receiver.received) seen.set(event.id, (seen.get(event.id) ?? 0) + 1);
  return rows.map((row) => ({ ...row, seen: seen.get(row.event) ?? 0 }));
}

test('SIGTERM to npm start under load answers what was accepted, loses and doubles no attempt, and ends with 0', async () => {
  const facts = await deployment.facts();
  const call = await callerAt(service, facts);
  const shops = await call('GET', '/v1/customers?external_ref=sample-books');
  // A request falls due each minute of the tenant's clock: an advance has far to go.
  const merchant_customer_id = shops.body.data[0].id;
  for (let minute = 1; minute <= 12; minute += 1) {
    const body = { type: 'dynamic', merchant_customer_id, amount: 100, expires_in: minute * 60 };
    await call('POST', '/v1/payment-requests', { key: `request-${minute}`, body });
  }
  receiver.answer((_request, response) => {
    setTimeout(() => response.writeHead(200).end(), 150);
  });
  const advance = call('POST', '/portal/api/clock/advance', { body: { seconds: 1_200 } });
  await until(async () => {
    const expired = `select from events where type = 'payment_request.expired'`;
    return Number((await deployment.pool.query(expired)).rowCount) > 2;
  });
  const token = await fetchToken(service.baseUrl, facts);
  const asked: Asked[] = [];
  const load = Array.from({ length: callers }, () => ask(service.baseUrl, token, asked));
  await until(() => asked.length > 5 * callers && receiver.received.length > callers);
  expect(await terminate(service)).toBe(0);
  await Promise.all(load);

  const answered = asked.filter(({ status }) => status !== null);
  expect(answered.map(({ status }) => status)).toEqual(answered.map(() => 201));
  const { rows } = await deployment.pool.query<{ ref: string }>(
    `select external_ref as ref from customers where external_ref like 'ref-%'`,
  );
  expect(rows.map(({ ref }) => ref).sort()).toEqual(answered.map(({ ref }) => ref).sort());

  const { status, body: clock } = await advance;
  expect(status).toBe(200);
  expect(clock.pending).toBeGreaterThan(0);

  const drained = await attemptsOf(deployment);
  for (const { attempts, recorded, seen } of drained)
    expect([recorded, seen]).toEqual([attempts, attempts]);
  const held = await deployment.pool.query(
    'select from deliveries where lease_until > now() union all select from jobs where lease_until > now()',
  );
  expect(held.rowCount).toBe(0);

  service = await start();
  await until(async () => {
    const { rowCount } = await deployment.pool.query(
      `select from deliveries where status <> 'delivered' union all
       select from tenants where clock_target is not null`,
    );
    return rowCount === 0;
  });
  for (const { attempts, recorded, seen } of await attemptsOf(deployment))
    expect([attempts, recorded, seen]).toEqual([1, 1, 1]);
  expect(await deployment.pool.query('select from processes')).toMatchObject({ rowCount: 1 });
});

test('a second signal ends at once what the first one waits for', async () => {
  const attempts = async () => (await deployment.pool.query('select from attempts')).rowCount;
  const [before, received] = [await attempts(), receiver.received.length];
  receiver.answer(() => {});
  const call = await callerAt(service, await deployment.facts());
  const body = application('individual');
  await call('POST', '/v1/customers', { key: body.external_ref, body });
  await receiver.waitFor(received + 1);
  service.child.kill('SIGTERM');
  // The attempt may take ten seconds; until then the process is there, and not ready.
  await until(async () => (await service.status('/readyz')) === 503);
  // A signal within a second is the same one, as npm passes on what the service got too.
  service.child.kill('SIGTERM');
  await sleep(1_100);
  expect(service.child.exitCode).toBeNull();
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(1);
  expect(await attempts()).toBe(before);
});
