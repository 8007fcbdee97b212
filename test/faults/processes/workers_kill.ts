import { setTimeout as sleep } from 'node:timers/promises';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { caller } from '../../kit/http.ts';
import {
  callerAt,
  type Deployment,
  openDeployment,
  type ServiceProcess,
} from '../../kit/processes.ts';
import { choicesOf } from '../../kit/seed.ts';
import type { Proof, ProofContext, Verdict } from '../../prove/proof.ts';
import { startFaultyServer } from '../database/server.ts';
import { type CountingReceiver, digestOf, startCountingReceiver } from './workers_receiver.ts';

type Call = ReturnType<typeof caller>;

const workers = 3;
/** Each is created and expires: 68 deliveries for each kill. */
const requestsPerKill = 34;
const longestAnswerMs = 40;
const longestLifeMs = 400;
/** Nothing that a dead worker held waits longer (reliability F2). */
const longestLeaseMs = 30_000;
/** Past the leases: for the work itself, on a machine that has other things to do. */
const patienceMs = 30_000;
const pollMs = 100;
const calmPolls = 10;

const undelivered = `select event_id as id from deliveries where status <> 'delivered' order by event_id`;
const lease = `select coalesce(max(extract(epoch from lease_until - now())) * 1000, 0)::float8 as ms
  from (select lease_until from jobs union all select lease_until from deliveries) leases`;
const waiting = `select (select count(*) from deliveries where status <> 'delivered')
  + (select count(*) from payment_requests where status = 'open' and expires_at - created_at < interval '10 s')
  as count`;
const events =
  'select e.id, e.body from deliveries d join events e using (tenant_id) where e.id = d.event_id';

/** What is known at each kill: only what had no recorded answer then may come once more. */
interface Kills {
  readonly mayRepeat: Set<string>;
  /** Received and not recorded at a kill, summed over the kills. */
  inFlight: number;
  longestLeaseMs: number;
}

async function noteKill({ pool }: Deployment, { received }: CountingReceiver, kills: Kills) {
  const [open, held] = await Promise.all([
    pool.query<{ id: string }>(undelivered),
    pool.query<{ ms: number }>(lease),
  ]);
  for (const { id } of open.rows) {
    const shown = publicId('event', id);
    kills.mayRepeat.add(shown);
    if (received.has(shown)) kills.inFlight += 1;
  }
  kills.longestLeaseMs = Math.max(kills.longestLeaseMs, held.rows[0]?.ms ?? 0);
}

async function makeRequests(call: Call, shop: string, round: number): Promise<void> {
  await Promise.all(
    Array.from({ length: requestsPerKill }, (_, index) => {
      const body = { type: 'dynamic', merchant_customer_id: shop, amount: 100, expires_in: 1 };
      return call('POST', '/v1/payment-requests', { key: `kill-${round}-${index}`, body });
    }),
  );
}

/** Waits until everything has been delivered. @returns how long, or null when something is left */
async function untilDelivered({ pool }: Deployment, withinMs: number): Promise<number | null> {
  const beganMs = performance.now();
  while (performance.now() - beganMs < withinMs) {
    const { rows } = await pool.query<{ count: number }>(waiting);
    if (rows[0]?.count === 0) return performance.now() - beganMs;
    await sleep(pollMs);
  }
  return null;
}

/** What came in against what was to be delivered. */
async function compareDeliveries(
  { pool }: Deployment,
  { received }: CountingReceiver,
  kills: Kills,
): Promise<{ violations: string[]; deliveries: number; duplicates: number }> {
  const { rows } = await pool.query<{ id: string; body: string }>(events);
  const violations: string[] = [];
  let duplicates = 0;
  for (const { id, body } of rows) {
    const shown = publicId('event', id);
    const one = received.get(shown);
    if (!one) violations.push(`event ${shown} never came`);
    if (!one) continue;
    duplicates += one.count - 1;
    if (one.bodies.size > 1 || !one.bodies.has(digestOf(body)))
      violations.push(`event ${shown} came with other bytes`);
    if (one.count > 1 && !kills.mayRepeat.has(shown))
      violations.push(`event ${shown} came ${one.count} times, and no kill explains it`);
  }
  if (received.size > rows.length)
    violations.push(`${received.size - rows.length} events came that nobody waited for`);
  if (duplicates > kills.inFlight)
    violations.push(`${duplicates} duplicates, but ${kills.inFlight} attempts were under way`);
  return { violations, deliveries: rows.length, duplicates };
}

/**
 * Ends the leases of the dead without waiting for them: only once what is left has been nobody's for
 * a while, since an attempt that is under way must keep its own.
 */
async function cutLeases({ pool }: Deployment, alive: readonly ServiceProcess[]): Promise<void> {
  for (let calm = 0, before = ''; calm < calmPolls; ) {
    await sleep(pollMs);
    const { rows } = await pool.query<{ id: string }>(undelivered);
    const metrics = await Promise.all(alive.map((worker) => worker.metrics()));
    const inFlight = metrics.some((series) => series.get('webhook_attempts_in_flight') !== 0);
    const left = rows.map(({ id }) => id).join();
    calm = inFlight || left !== before ? 0 : calm + 1;
    before = left;
  }
  for (const table of ['jobs', 'deliveries'])
    await pool.query(`update ${table} set lease_until = now() where lease_until > now()`);
}

/** Kills one worker after the other, each replaced at once, while there is work. */
async function killWorkers(
  deployment: Deployment,
  receiver: CountingReceiver,
  { seed, rounds, progress }: ProofContext,
): Promise<{ kills: Kills; alive: readonly ServiceProcess[] }> {
  const api = await deployment.start('api');
  const call = await callerAt(api, await deployment.facts());
  const { body } = await call('GET', '/v1/customers?external_ref=sample-books');
  await call('PUT', '/portal/api/webhook-endpoint', { body: { url: receiver.url, enabled: true } });
  const alive: Promise<ServiceProcess>[] = Array.from({ length: workers }, () =>
    deployment.start('worker'),
  );
  await Promise.all(alive);
  const kills: Kills = { mayRepeat: new Set(), inFlight: 0, longestLeaseMs: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { below } = choicesOf(seed, `workers ${round}`);
    const making = makeRequests(call, body.data[0].id, round);
    await sleep(below(longestLifeMs));
    const victim = await (alive[round % workers] as Promise<ServiceProcess>);
    victim.child.kill('SIGKILL');
    await victim.ended;
    await noteKill(deployment, receiver, kills);
    // The last to die need no successors: one is left.
    if (round <= rounds - workers) alive[round % workers] = deployment.start('worker');
    await making;
    progress(round + 1);
  }
  const all = await Promise.all(alive);
  return { kills, alive: all.filter(({ child }) => child.signalCode === null) };
}

/** @param isInAHurry what dead workers held is free at once: a test need not wait for it */
export async function proveWorkers(
  context: ProofContext,
  { isInAHurry }: { readonly isInAHurry: boolean },
): Promise<Verdict> {
  const server = await startFaultyServer({ forTests: true });
  const deployment = await openDeployment({ url: server.url, drop: server.stop });
  const { below } = choicesOf(context.seed, 'answers');
  const receiver = await startCountingReceiver(() => below(longestAnswerMs));
  const { kills, alive } = await killWorkers(deployment, receiver, context);
  const violations: string[] = [];
  if (kills.longestLeaseMs > longestLeaseMs)
    violations.push(`a lease lasted ${Math.round(kills.longestLeaseMs)} ms more`);
  if (isInAHurry) await cutLeases(deployment, alive);
  const tookMs = await untilDelivered(deployment, longestLeaseMs + patienceMs);
  if (tookMs === null) violations.push('what a dead worker held was not taken up by the others');
  const compared = await compareDeliveries(deployment, receiver, kills);
  await deployment.stop().catch((error: unknown) => violations.push((error as Error).message));
  await receiver.close();
  return {
    rounds: context.rounds,
    violations: [...violations, ...compared.violations],
    figures: {
      deliveries: compared.deliveries,
      duplicates: compared.duplicates,
      inFlightAtKills: kills.inFlight,
      longestLeaseMs: Math.round(kills.longestLeaseMs),
      afterTheLastMs: Math.round(tookMs ?? 0),
    },
  };
}

export const workersKillProof: Proof = {
  key: 'workers-kill',
  fault: 'one of three workers is killed (kill -9) while it sends webhooks and does jobs',
  promise: 'nothing is lost; only what was under way comes twice, with the same id and bytes',
  rounds: 300,
  run: (context) => proveWorkers(context, { isInAHurry: false }),
};
