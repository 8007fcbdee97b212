import { addSeconds, epochMs } from '../../../engine/time/instant.ts';
import { openApi } from '../../kit/api.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { application } from '../../kit/person.ts';
import {
  type Deployment,
  openDeployment,
  type ServiceProcess,
} from '../../kit/processes/processes.ts';
import { choicesOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { proofTest } from '../../prove/proof.ts';

const requests = 120;
/** The sample's own request is of another amount. */
const amount = 100;
const hour = 3_600;
const day = 24 * hour;

/** The requests that expired in the window, and when; without the sample's own. */
const expirations = `select r.expires_at, array_agg(e.created_at) filter (where e.id is not null) as at
  from payment_requests r left join events e on e.tenant_id = r.tenant_id
    and e.object_id = r.id and e.type = 'payment_request.expired'
  where r.expires_at > $1 and r.expires_at <= $2 and r.amount = ${amount}
  group by r.tenant_id, r.id, r.expires_at`;

/** The sample Tenant at a process. */
async function apiAt(deployment: Deployment, { baseUrl }: ServiceProcess) {
  return openApi(baseUrl, await fetchToken(baseUrl, await deployment.facts()));
}

/**
 * One advance of a day whose process is killed on the way.
 * @param share of the jobs that are done before, from 0 to 1
 */
async function playRound(deployment: Deployment, first: ServiceProcess, share: number) {
  const { pool } = deployment;
  const count = async (text: string) => (await pool.query(text)).rowCount ?? 0;
  const expired = () => count(`select from events where type = 'payment_request.expired'`);
  const isMoving = async () =>
    (await count('select from tenants where clock_target is not null')) > 0;
  const violations: string[] = [];

  const api = await apiAt(deployment, first);
  const shops = await api.get('/v1/customers?external_ref=sample-books');
  const shop = { customerId: shops.data[0].id };
  await Promise.all(
    Array.from({ length: requests }, (_, index) =>
      api.request(shop, amount, { expires_in: hour + 60 * index }),
    ),
  );
  const { now } = await api.get('/portal/api/clock');
  const to = addSeconds(now, day);
  const enough = (await expired()) + share * requests;
  const lost = api.advance(to).catch(() => null);
  await until(isMoving);
  await until(async () => (await expired()) >= enough || !(await isMoving()));
  first.child.kill('SIGKILL');
  await Promise.all([first.ended, lost]);
  const wasHalfWay = await isMoving();

  const second = await deployment.start('api,worker');
  const again = await apiAt(deployment, second);
  if (wasHalfWay) {
    const body = { seconds: 1 };
    const busy = await again.call('POST', '/portal/api/clock/advance', { body });
    const isRefused = busy.status === 409 && busy.body.error.code === 'invalid_state';
    if (!isRefused && (await isMoving()))
      violations.push(`a second advance was answered ${busy.status}`);
    // The API serves meanwhile, at the instant where the clock stands.
    await again.post('/v1/customers', application('individual')).catch((error: Error) => {
      violations.push(`during the advance: ${error.message}`);
    });
  }
  // So long a worker's leases last at most; here that time is over.
  await pool.query('update jobs set lease_until = now() where lease_until > now()');
  await pool.query('update tenants set clock_lease_until = now() where clock_lease_until > now()');
  await until(async () => !(await isMoving()));
  const clock = await again.get('/portal/api/clock');
  if (epochMs(clock.now) < epochMs(to))
    violations.push(`the clock stands at ${clock.now}, short of ${to}`);
  const { rows } = await pool.query<{ expires_at: string; at: string[] | null }>(expirations, [
    now,
    to,
  ]);
  if (rows.length !== requests) violations.push(`${rows.length} of ${requests} requests are there`);
  for (const { expires_at, at } of rows)
    if (at?.length !== 1 || at[0] !== expires_at)
      violations.push(`what expires at ${expires_at} expired at ${at}`);
  return { second, violations, wasHalfWay };
}

proofTest(
  'an advance whose process is killed half way is brought to its target by another, each job once',
  1,
  async ({ seed, rounds, progress }) => {
    const deployment = await openDeployment();
    const violations: string[] = [];
    let halfWay = 0;
    let first = await deployment.start('api,worker');
    for (let round = 0; round < rounds; round += 1) {
      const share = choicesOf(seed, `clock ${round}`).below(100) / 100;
      const found = await playRound(deployment, first, share);
      violations.push(...found.violations.map((what) => `round ${round}: ${what}`));
      if (found.wasHalfWay) halfWay += 1;
      first = found.second;
      progress(round + 1);
    }
    await deployment.stop().catch((error: Error) => violations.push(error.message));
    return { rounds, violations, figures: { halfWay } };
  },
);
