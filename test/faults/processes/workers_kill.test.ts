import { setTimeout as sleep } from 'node:timers/promises';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { type StoredText, unpackEvent } from '../../../engine/packed_text/event_text.ts';
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
/** Each is created and expires: 68 deliveries for each kill. */
const requestsPerKill = 34;
const longestAnswerMs = 40;
const longestLifeMs = 400;
/** Nothing that a dead worker held waits longer. */
const longestLeaseMs = 30_000;
/** Past the leases: for the work itself, on a machine that has other things to do. */
const patienceMs = 30_000;

const undelivered = `select event_id as id from deliveries where status <> 'delivered' order by event_id`;
// Not by now(): the statement may see a lease that was taken after its transaction began.
const lease = `select coalesce(max(extract(epoch from lease_until - clock_timestamp())) * 1000, 0)::float8 as ms
  from (select lease_until from jobs union all select lease_until from deliveries) leases`;
const waiting = `select from deliveries where status <> 'delivered' union all
  select from payment_requests where status = 'open' and expires_at - created_at < interval '10 s'`;
const events =
  'select e.id, e.created_at, e.object_id, e.body from deliveries d join events e using (tenant_id) where e.id = d.event_id';

/** What is known at each kill: only what had no recorded answer then may come once more. */
interface Kills {
  readonly mayRepeat: Set<string>;
  /** Received and not recorded at a kill, summed over the kills. */
  inFlight: number;
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
  receiver: TestReceiver,
  { seed, rounds, progress }: ProofContext,
): Promise<{ kills: Kills; alive: readonly ServiceProcess[] }> {
  const { pool } = deployment;
  const api = await deployment.start('api');
  const call = await callerAt(api, await deployment.facts());
  const { body: shops } = await call('GET', '/v1/customers?external_ref=sample-books');
  await call('PUT', '/portal/api/webhook-endpoint', { body: { url: receiver.url, enabled: true } });
  const alive = Array.from({ length: workers }, () => deployment.start('worker'));
  await Promise.all(alive);
  const kills: Kills = { mayRepeat: new Set(), inFlight: 0, longestLeaseMs: 0 };

  async function noteKill(): Promise<void> {
    const [open, held] = await Promise.all([
      pool.query<{ id: string }>(undelivered),
      pool.query<{ ms: number }>(lease),
    ]);
    const received = new Set(receiver.received.map(({ event }) => event.id));
    const ids = open.rows.map(({ id }) => publicId('event', id));
    for (const id of ids) kills.mayRepeat.add(id);
    kills.inFlight += ids.filter((id) => received.has(id)).length;
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
    const { rows } = await pool.query<{ id: string }>(undelivered);
    const metrics = await Promise.all(alive.map((worker) => worker.metrics()));
    const inFlight = metrics.some((series) => series.get('webhook_attempts_in_flight') !== 0);
    const left = rows.map(({ id }) => id).join();
    calm = inFlight || left !== before ? 0 : calm + 1;
    before = left;
    return calm === 10;
  };
  await until(isCalm, { everyMs: 100 });
  for (const table of ['jobs', 'deliveries'])
    await pool.query(`update ${table} set lease_until = now() where lease_until > now()`);
}

/** Compares what came in with what was to be delivered. */
async function compareDeliveries({ pool }: Deployment, receiver: TestReceiver, kills: Kills) {
  const { rows } = await pool.query<StoredText>(events);
  const received = bodiesOf(receiver);
  const violations = rows.flatMap((row) => {
    const body = unpackEvent(row);
    const shown = publicId('event', row.id);
    const bodies = received.get(shown) ?? [];
    if (bodies.length === 0) return [`event ${shown} never came`];
    return [
      ...(bodies.some((one) => one !== body) ? [`event ${shown} came with other bytes`] : []),
      ...(bodies.length > 1 && !kills.mayRepeat.has(shown)
        ? [`event ${shown} came ${bodies.length} times, and no kill explains it`]
        : []),
    ];
  });
  const duplicates = receiver.received.length - received.size;
  if (received.size > rows.length)
    violations.push(`${received.size - rows.length} events came that are not stored`);
  if (duplicates > kills.inFlight)
    violations.push(`${duplicates} duplicates, but ${kills.inFlight} attempts were under way`);
  return { violations, deliveries: rows.length, duplicates };
}

proofTest(
  'of workers that are killed nothing is lost, and only what they had under way comes twice',
  2,
  async (context) => {
    const deployment = await openDeployment();
    const { below } = choicesOf(context.seed, 'answers');
    const receiver = await startTestReceiver();
    receiver.answer((_request, response) => {
      setTimeout(() => response.writeHead(200).end(), below(longestAnswerMs));
    });
    const { kills, alive } = await killWorkers(deployment, receiver, context);
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
    const { violations: found, ...compared } = await compareDeliveries(deployment, receiver, kills);
    await deployment.stop().catch((error: Error) => violations.push(error.message));
    await receiver.close();
    return {
      rounds: context.rounds,
      violations: [...violations, ...found],
      figures: {
        ...compared,
        inFlightAtKills: kills.inFlight,
        longestLeaseMs: Math.round(kills.longestLeaseMs),
        afterTheLastMs,
      },
    };
  },
);
