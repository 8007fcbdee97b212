import { addSeconds, epochMs } from '../../../service/core/instant.ts';
import {
  applicant,
  callerAt,
  type Deployment,
  openDeployment,
  type ServiceProcess,
} from '../../kit/processes.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import type { Proof } from '../../prove/proof.ts';
import { startFaultyServer } from '../database/server.ts';

const requests = 120;
/** The sample's request is of another amount. */
const amount = 100;
const hour = 3_600;
const day = 24 * hour;

const countOf = async ({ pool }: Deployment, text: string, values: unknown[] = []) =>
  (await pool.query(text, values)).rowCount ?? 0;

/** So long a worker's leases last at most; here that time is over. */
async function endLeases({ pool }: Deployment): Promise<void> {
  await pool.query('update jobs set lease_until = now() where lease_until > now()');
  await pool.query('update tenants set clock_lease_until = now() where clock_lease_until > now()');
}

interface Round {
  readonly number: number;
  readonly choices: Choices;
  /** Serves and works; it is killed. */
  readonly first: ServiceProcess;
}

interface Outcome {
  /** Took over; the next round's first. */
  readonly second: ServiceProcess;
  readonly violations: readonly string[];
  /** The advance was under way when its process died. */
  readonly wasHalfWay: boolean;
}

async function stageRequests(deployment: Deployment, { first, number }: Round): Promise<string> {
  const call = await callerAt(first, await deployment.facts());
  const shops = await call('GET', '/v1/customers?external_ref=sample-books');
  const merchant_customer_id = shops.body.data[0].id;
  await Promise.all(
    Array.from({ length: requests }, (_, index) => {
      const body = {
        type: 'dynamic',
        merchant_customer_id,
        amount,
        expires_in: hour + 60 * index,
      };
      return call('POST', '/v1/payment-requests', { key: `request-${number}-${index}`, body });
    }),
  );
  return (await call('GET', '/portal/api/clock')).body.now;
}

/** One advance of a day whose process is killed somewhere on the way. */
async function playRound(deployment: Deployment, round: Round): Promise<Outcome> {
  const { first, choices, number } = round;
  const facts = await deployment.facts();
  const expired = () =>
    countOf(deployment, `select from events where type = 'payment_request.expired'`);
  const moving = () => countOf(deployment, 'select from tenants where clock_target is not null');
  const now = await stageRequests(deployment, round);
  const to = addSeconds(now, day);
  const before = await expired();
  const call = await callerAt(first, facts);
  const lost = call('POST', '/portal/api/clock/advance', { body: { to } }).catch(() => null);
  const enough = before + choices.below(requests);
  await until(async () => (await moving()) > 0);
  await until(async () => (await expired()) >= enough || (await moving()) === 0);
  first.child.kill('SIGKILL');
  await Promise.all([first.ended, lost]);
  const wasHalfWay = (await moving()) > 0;
  const violations: string[] = [];

  const second = await deployment.start('api,worker');
  const again = await callerAt(second, facts);
  if (wasHalfWay) {
    const busy = await again('POST', '/portal/api/clock/advance', { body: { seconds: 1 } });
    const isTaken = busy.status === 409 && busy.body.error.code === 'invalid_state';
    if (!isTaken && (await moving()) > 0)
      violations.push(`round ${number}: a second advance was let in (${busy.status})`);
    // The API serves meanwhile, at the instant where the clock stands.
    const made = await again('POST', '/v1/customers', { key: `a-${number}`, body: applicant() });
    if (made.status !== 201)
      violations.push(`round ${number}: the API answered ${made.status} during the advance`);
  }
  await endLeases(deployment);
  await until(async () => (await moving()) === 0);
  const clock = (await again('GET', '/portal/api/clock')).body;
  if (epochMs(clock.now) < epochMs(to))
    violations.push(`round ${number}: the clock stands at ${clock.now}, short of ${to}`);

  const { rows } = await deployment.pool.query<{ expires_at: string; at: string[] }>(
    `select r.expires_at, array_agg(e.created_at) filter (where e.id is not null) as at
     from payment_requests r left join events e on e.tenant_id = r.tenant_id
       and e.object_id = r.id and e.type = 'payment_request.expired'
     where r.expires_at > $1 and r.expires_at <= $2 and r.amount = $3 group by r.tenant_id, r.id, r.expires_at`,
    // Without the bookshop's own, which has its day too.
    [now, to, amount],
  );
  if (rows.length !== requests)
    violations.push(`round ${number}: ${rows.length} of ${requests} requests are there`);
  for (const { expires_at, at } of rows)
    if (at?.length !== 1 || at[0] !== expires_at)
      violations.push(`round ${number}: what expires at ${expires_at} expired at ${at}`);
  return { second, violations, wasHalfWay };
}

export const clockKillProof: Proof = {
  key: 'clock-kill',
  fault: 'the process that moves a clock is killed (kill -9) on the way',
  promise: 'another brings the clock to its target, each job once and at its own instant',
  rounds: 20,
  async run({ seed, rounds, progress }) {
    const server = await startFaultyServer({ forTests: true });
    const deployment = await openDeployment({ url: server.url, drop: server.stop });
    const violations: string[] = [];
    let halfWay = 0;
    let first = await deployment.start('api,worker');
    for (let number = 0; number < rounds; number += 1) {
      const choices = choicesOf(seed, `clock ${number}`);
      const outcome = await playRound(deployment, { number, choices, first });
      violations.push(...outcome.violations);
      if (outcome.wasHalfWay) halfWay += 1;
      first = outcome.second;
      progress(number + 1);
    }
    await deployment.stop().catch((error: unknown) => violations.push((error as Error).message));
    return { rounds, violations, figures: { halfWay } };
  },
};
