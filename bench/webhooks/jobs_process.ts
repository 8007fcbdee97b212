import { EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import { openClient } from '../../engine/database/pool.ts';
import { obey, openDelivery, type SendOrder } from './deliver.ts';

/** The part of graphile-worker that is used. */
interface Worker {
  readonly Logger: new (factory: () => () => void) => object;
  readonly runMigrations: (options: object) => Promise<void>;
  readonly run: (options: object) => Promise<{ readonly stop: () => Promise<void> }>;
}

interface Payload {
  readonly url: string;
  readonly body: string;
}

/** One statement for all jobs; each is a delivery. */
const addAll = `select count(*) from graphile_worker.add_jobs(array(
  select ('deliver', json_build_object('url', $1::text, 'body', body), null, null, null, null, null,
    null)::graphile_worker.job_spec from unnest($2::text[]) body))`;

async function addJobs({ databaseUrl, url, bodies }: SendOrder): Promise<void> {
  const client = await openClient(databaseUrl);
  await client.query(addAll, [url, bodies]);
  await client.query('vacuum analyze');
  await client.end();
}

/** Adds the jobs, and then works them off. */
async function workOff(order: SendOrder, begin: () => void): Promise<void> {
  const { databaseUrl: connectionString, secret, bodies, together, packageFolder } = order;
  const load = createRequire(`${packageFolder}/package.json`);
  const { Logger, run, runMigrations } = load('graphile-worker') as Worker;
  const logger = new Logger(() => () => {});
  await runMigrations({ connectionString, logger });
  await addJobs(order);
  const { deliver, close } = openDelivery(secret);
  const events = new EventEmitter();
  let left = bodies.length;
  events.on('job:complete', ({ error }: { error: unknown }) => {
    if (error) events.emit('error', error);
    left -= 1;
    if (left === 0) events.emit('all');
  });
  const taskList = { deliver: ({ url, body }: Payload) => deliver(url, body) };
  const finished = once(events, 'all');
  begin();
  const limits = { concurrency: together, maxPoolSize: 16, noHandleSignals: true };
  const runner = await run({ connectionString, logger, events, taskList, ...limits });
  await finished;
  await runner.stop();
  await close();
}

obey(workOff);
