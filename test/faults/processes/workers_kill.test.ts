import { setTimeout as sleep } from 'node:timers/promises';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { type StoredText, unpackEvent } from '../../../engine/packed_text/event_text.ts';
import { deliveryKinds } from '../../../service/webhooks/dispatch/kinds.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import {
  callerAt,
  type Deployment,
  openDeployment,
  type ServiceProcess,
} from '../../kit/processes/processes.ts';
import { choicesOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { type ProofContext, proofTest } from '../../prove/proof.ts';

const workers = 3;
/** Each is created and expires: 68 deliveries to each endpoint for each kill. */
const requestsPerKill = 34;
const longestAnswerMs = 40;
const longestLifeMs = 400;
/** Nothing that a dead worker held waits longer. */
const longestLeaseMs = 30_000;
/** Past the leases: for the work itself, on a machine that has other things to do. */
const patienceMs = 30_000;

/** To the first endpoint, and to a further one. */
type Kind = keyof typeof deliveryKinds;
const kinds = Object.values(deliveryKinds);
const ofAll = (text: (kind: (typeof kinds)[number]) => string) =>
  kinds.map(text).join(' union all ');

const undelivered = `select * from (${ofAll(
  ({ name, deliveries }) =>
    `select event_id as id, '${name}' as kind from ${deliveries} where status <> 'delivered'`,
)}) d order by id, kind`;
// Not by now(): the statement may see a lease that was taken after its transaction began.
const lease = `select coalesce(max(extract(epoch from lease_until - clock_timestamp())) * 1000, 0)::float8 as ms
  from (select lease_until from jobs union all ${ofAll(({ deliveries }) => `select lease_until from ${deliveries}`)}) leases`;
const waiting = `${ofAll(({ deliveries }) => `select from ${deliveries} where status <> 'delivered'`)} union all
  select from payment_requests where status = 'open' and expires_at - created_at < interval '10 s'`;
const events = 'select id, created_at, object_id, body from events';

type Receivers = Readonly<Record<Kind, TestReceiver>>;

/** The facts known at each kill: only what had no recorded answer then may come once more. */
interface Kills {
  readonly mayRepeat: Readonly<Record<Kind, Set<string>>>;
  /** Received and not recorded at a kill, summed over the kills. */
  readonly inFlight: Record<Kind, number>;
  longestLeaseMs: number;
}

/** Each body that the receiver got, by event. */
function bodiesOf({ received }: TestReceiver): Map<string, string[]> {
  const bodies = new Map<string, string[]>();
  for (const { event, body } of received)
    bodies.set(event.id, [...(bodies.get(event.id) ?? []), body.toString('utf8')]);
  return bodies;
}

/** Kills one worker after the other, each replaced at once, while there is work. */
async function killWorkers(
  deployment: Deployment,
  receivers: Receivers,
  { seed, rounds, progress }: ProofContext,
): Promise<{ kills: Kills; alive: readonly ServiceProcess[] }> {
  const { pool } = deployment;
  const api = await deployment.start('api');
  const call = await callerAt(api, await deployment.facts());
  const { body: shops } = await call('GET', '/v1/customers?external_ref=sample-books');
  const { first, further } = receivers;
  await call('PUT', '/portal/api/webhook-endpoint', { body: { url: first.url, enabled: true } });
  const books = { name: 'Books', url: further.url };
  await call('POST', '/portal/api/webhook-endpoints', { body: books });
  const alive = Array.from({ length: workers }, () => deployment.start('worker'));
  await Promise.all(alive);
  const kills: Kills = {
    mayRepeat: { first: new Set(), further: new Set() },
    inFlight: { first: 0, further: 0 },
    longestLeaseMs: 0,
  };

  async function noteKill(): Promise<void> {
    const [open, held] = await Promise.all([
      pool.query<{ id: string; kind: Kind }>(undelivered),
      pool.query<{ ms: number }>(lease),
    ]);
    for (const { name } of kinds) {
      const received = new Set(receivers[name].received.map(({ event }) => event.id));
      const ids = open.rows
        .filter(({ kind }) => kind === name)
        .map(({ id }) => publicId('event', id));
      for (const id of ids) kills.mayRepeat[name].add(id);
      kills.inFlight[name] += ids.filter((id) => received.has(id)).length;
    }
    kills.longestLeaseMs = Math.max(kills.longestLeaseMs, held.rows[0]?.ms ?? 0);
  }

  for (let round = 0; round < rounds; round += 1) {
    const body = {
      type: 'dynamic',
      merchant_customer_id: shops.data[0].id,
      amount: 100,
      expires_in: 1,
    };
    const making = Promise.all(
      Array.from({ length: requestsPerKill }, (_, index) =>
        call('POST', '/v1/payment-requests', { key: `kill-${round}-${index}`, body }),
      ),
    );
    await sleep(choicesOf(seed, `workers ${round}`).below(longestLifeMs));
    const killed = await (alive[round % workers] as Promise<ServiceProcess>);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await noteKill();
    // The last to die need no successors: one is left.
    if (round <= rounds - workers) alive[round % workers] = deployment.start('worker');
    await making;
    progress(round + 1);
  }
  const all = await Promise.all(alive);
  return { kills, alive: all.filter(({ child }) => child.signalCode === null) };
}

/**
 * Ends the leases of the dead without waiting for them: only once what is left has not changed for a
 * second, since an attempt that is under way must keep its own.
 */
async function endLeases({ pool }: Deployment, alive: readonly ServiceProcess[]): Promise<void> {
  let before = '';
  let calm = 0;
  const isCalm = async () => {
    const { rows } = await pool.query<{ id: string; kind: Kind }>(undelivered);
    const metrics = await Promise.all(alive.map((worker) => worker.metrics()));
    const inFlight = metrics.some((series) => series.get('webhook_attempts_in_flight') !== 0);
    const left = rows.map(({ id, kind }) => `${kind} ${id}`).join();
    calm = inFlight || left !== before ? 0 : calm + 1;
    before = left;
    return calm === 10;
  };
  await until(isCalm, { everyMs: 100 });
  for (const table of ['jobs', ...kinds.map(({ deliveries }) => deliveries)])
    await pool.query(`update ${table} set lease_until = now() where lease_until > now()`);
}

/** Compares what came in at an endpoint with what was to be delivered there. */
async function compareDeliveries(
  { pool }: Deployment,
  [name, receiver]: readonly [Kind, TestReceiver],
  kills: Kills,
) {
  const { deliveries } = deliveryKinds[name];
  const { rows } = await pool.query<StoredText>(
    `${events} e where exists (select from ${deliveries} d where d.event_id = e.id)`,
  );
  const received = bodiesOf(receiver);
  const violations = rows.flatMap((row) => {
    const body = unpackEvent(row);
    const shown = publicId('event', row.id);
    const bodies = received.get(shown) ?? [];
    if (bodies.length === 0) return [`event ${shown} never came`];
    return [
      ...(bodies.some((one) => one !== body) ? [`event ${shown} came with other bytes`] : []),
      ...(bodies.length > 1 && !kills.mayRepeat[name].has(shown)
        ? [`event ${shown} came ${bodies.length} times, and no kill explains it`]
        : []),
    ];
  });
  const duplicates = receiver.received.length - received.size;
  if (received.size > rows.length)
    violations.push(`${received.size - rows.length} events came that are not stored`);
  if (duplicates > kills.inFlight[name])
    violations.push(
      `${duplicates} duplicates, but ${kills.inFlight[name]} attempts were under way`,
    );
  return {
    violations: violations.map((one) => `${name} endpoint: ${one}`),
    deliveries: rows.length,
    duplicates,
  };
}

const sum = (one: number, other: number): number => one + other;

/** Compares both endpoints, which get the same events. */
async function compareAll(deployment: Deployment, { first, further }: Receivers, kills: Kills) {
  const all = await Promise.all([
    compareDeliveries(deployment, ['first', first], kills),
    compareDeliveries(deployment, ['further', further], kills),
  ]);
  const [at, beside] = all.map(({ deliveries }) => deliveries);
  const violations = all.flatMap((one) => one.violations);
  if (at !== beside)
    violations.push(`${at} deliveries to the first endpoint, ${beside} to another`);
  return {
    violations,
    deliveries: all.map(({ deliveries }) => deliveries).reduce(sum),
    duplicates: all.map(({ duplicates }) => duplicates).reduce(sum),
  };
}

proofTest(
  'of workers that are killed nothing is lost at any endpoint, and only what they had under way comes twice',
  2,
  async (context) => {
    const deployment = await openDeployment();
    const { below } = choicesOf(context.seed, 'answers');
    const receivers = { first: await startTestReceiver(), further: await startTestReceiver() };
    const both = Object.values(receivers);
    for (const receiver of both)
      receiver.answer((_request, response) => {
        setTimeout(() => response.writeHead(200).end(), below(longestAnswerMs));
      });
    const { kills, alive } = await killWorkers(deployment, receivers, context);
    const violations: string[] = [];
    if (kills.longestLeaseMs > longestLeaseMs)
      violations.push(`a lease lasted ${Math.round(kills.longestLeaseMs)} ms more`);
    // Few rounds need not wait for the leases; many do.
    if (context.rounds < 10) await endLeases(deployment, alive);
    const lastKillMs = performance.now();
    const isDone = async () => (await deployment.pool.query(waiting)).rowCount === 0;
    await until(isDone, { withinMs: longestLeaseMs + patienceMs, everyMs: 100 }).catch(() => {
      violations.push('what a dead worker held was not taken up by the others');
    });
    const afterTheLastMs = Math.round(performance.now() - lastKillMs);
    const { violations: found, ...compared } = await compareAll(deployment, receivers, kills);
    await deployment.stop().catch((error: Error) => violations.push(error.message));
    await Promise.all(both.map((receiver) => receiver.close()));
    return {
      rounds: context.rounds,
      violations: [...violations, ...found],
      figures: {
        ...compared,
        inFlightAtKills: Object.values(kills.inFlight).reduce(sum),
        longestLeaseMs: Math.round(kills.longestLeaseMs),
        afterTheLastMs,
      },
    };
  },
);
