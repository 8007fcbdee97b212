import { until } from '../../kit/wait.ts';
import { type Host, newTenant, type Outcome, openStage } from './stage.ts';

/** A burst of sessions whose time is over at once, which a worker finds when it starts. */

const makers = 32;
const doneWithinMs = 300_000;

/** Their Tenant's clock has gone on, and all that wait for it are due. */
const passTime = `update tenants set clock_offset_ms = clock_offset_ms + 3600000, revision = revision + 1
  where tenant_id = $1`;
const makeDue = `update jobs set wake_at = now() - interval '1 second'
  where tenant_id = $1 and name = 'session_end'`;
const left = `select count(*)::integer as count from jobs where tenant_id = $1 and name = 'session_end'`;
const ended = `select count(*)::integer as events, count(distinct object_id)::integer as sessions from events
  where tenant_id = $1 and type = 'session.expired'`;

type Crowd = Awaited<ReturnType<typeof newTenant>>;

/** Payments whose page nobody opens. */
async function makeSessions({ api }: Crowd, count: number): Promise<void> {
  const payer = await api.funded('individual', 3_000_00);
  const shop = await api.approved('business');
  let made = 0;
  const make = async () => {
    while (made < count) {
      made += 1;
      await api.pay(payer, shop, 1);
    }
  };
  await Promise.all(Array.from({ length: makers }, make));
}

export async function proveManyJobs(host: Host, count: number): Promise<Outcome> {
  const stage = await openStage(host, 'api');
  const violations: string[] = [];
  const crowd = await newTenant(stage);
  await makeSessions(crowd, count);
  for (const text of [passTime, makeDue]) await crowd.engine.query(text);
  const slowestBefore = stage.load.slowestMs;
  stage.load.slowestMs = 0;
  const beganMs = performance.now();
  const worker = await stage.deployment.start('worker');
  const none = async () => (await crowd.engine.query(left))[0]?.count === 0;
  await until(none, { what: 'the end of all jobs', withinMs: doneWithinMs, everyMs: 200 }).catch(
    (error: Error) => violations.push(error.message),
  );
  const doneMs = Math.round(performance.now() - beganMs);
  const slowestWhileDoneMs = Math.round(stage.load.slowestMs);
  const [row] = await crowd.engine.query(ended);
  if (row?.events !== count || row?.sessions !== count)
    violations.push(`${row?.sessions} of ${count} sessions have ended, by ${row?.events} events`);
  if (worker.child.exitCode !== null) violations.push(`the worker fell: ${worker.log()}`);
  stage.load.slowestMs = Math.max(stage.load.slowestMs, slowestBefore);
  const outcome = await stage.end();
  return {
    violations: [...violations, ...outcome.violations],
    figures: { ...outcome.figures, jobs: count, doneMs, slowestWhileDoneMs },
  };
}
