import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSeconds, epochMs } from '../../service/core/instant.ts';
import { fetchToken } from '../harness/http.ts';
import {
  applicant,
  callerAt,
  type Deployment,
  openDeployment,
  type ServiceProcess,
  until,
} from './processes_start.ts';

const requests = 240;
const day = 24 * 3600;

let deployment: Deployment;
let first: ServiceProcess;
beforeAll(async () => {
  deployment = await openDeployment();
  first = await deployment.start('api,worker');
}, 60_000);
afterAll(() => deployment.stop());

const count = async (text: string): Promise<number> =>
  (await deployment.pool.query(text)).rowCount ?? 0;
const expiredCount = () => count(`select from events where type = 'payment_request.expired'`);

/** So long a worker's leases last at most; here that time is over. */
async function endLeases(): Promise<void> {
  await deployment.pool.query('update due set lease_until = now() where lease_until is not null');
  await deployment.pool.query(
    'update tenants set clock_lease_until = now() where clock_lease_until is not null',
  );
}

test('an advance whose process is killed half way is brought to its target by another, each duty once', async () => {
  const facts = await deployment.facts();
  const call = await callerAt(first, facts);
  const shops = await call('GET', '/v1/customers?external_ref=sample-books');
  const merchant_customer_id = shops.body.data[0].id;
  await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const expires_in = 3_600 + 60 * index;
      const body = { type: 'dynamic', merchant_customer_id, amount: 100, expires_in };
      const made = await call('POST', '/v1/payment-requests', { key: `request-${index}`, body });
      expect(made.status).toBe(201);
    }),
  );
  const { now } = (await call('GET', '/portal/api/clock')).body;
  const to = addSeconds(now, day);
  const lost = call('POST', '/portal/api/clock/advance', { body: { to } }).catch(() => null);
  await until(async () => (await expiredCount()) > requests / 4);
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  expect(await lost).toBeNull();
  const done = await expiredCount();
  expect(done).toBeLessThan(requests);

  const second = await deployment.start('api,worker');
  const again = await callerAt(second, facts);
  const busy = await again('POST', '/portal/api/clock/advance', { body: { seconds: 1 } });
  expect([busy.status, busy.body.error.code]).toEqual([409, 'invalid_state']);
  // The API serves meanwhile, at the instant where the clock stands.
  const body = applicant();
  const { created_at } = (await again('POST', '/v1/customers', { key: 'a', body })).body;
  expect(created_at < to).toBe(true);
  await endLeases();
  await until(
    async () => (await count('select from tenants where clock_target is not null')) === 0,
  );

  const clock = (await again('GET', '/portal/api/clock')).body;
  expect(clock.pending).toBe(0);
  expect(epochMs(clock.now)).toBeGreaterThanOrEqual(epochMs(to));
  const { rows } = await deployment.pool.query<{ expires_at: string; at: string[] }>(
    `select r.expires_at, array_agg(e.created_at) as at
     from payment_requests r join events e on e.tenant_id = r.tenant_id and e.object_id = r.id
       and e.type = 'payment_request.expired'
     where r.expires_at <= $1 group by r.tenant_id, r.id, r.expires_at`,
    [to],
  );
  expect(rows).toHaveLength(requests);
  expect(rows.map(({ at }) => at)).toEqual(rows.map(({ expires_at }) => [expires_at]));
  expect(await fetchToken(second.baseUrl, facts)).toBeDefined();
}, 60_000);
