import { join } from 'node:path';
import { type StoredText, unpackEvent } from '../../engine/packed_text/event_text.ts';
import { urlOf } from '../../service/db/embedded_running.ts';
import { type Bench, openBench } from '../bench.ts';
import { checkLedger } from '../ledger_check.ts';
import { openCaller } from '../load/callers.ts';
import { prepareLoad } from '../loads.ts';
import { type CpuTimes, readCpu } from '../measure/cpu.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { allDelivered, assertDelivered, setEndpoint } from '../setup/endpoints.ts';
import { equalTenants } from '../setup/furnish.ts';
import type { SendOrder } from '../webhooks/deliver.ts';
import { installJobs, type ReferenceName, runReference } from '../webhooks/reference.ts';
import type { Section, SectionOrder } from './section.ts';

/** With 16 deliveries at a time each (rules/webhooks#23): as many as the references have. */
const tenants = { count: 4, payers: 20, merchants: 10 };
const together = 64;
/** Each has several events. */
const payments = 2_000;
const deliveredWithinMs = 600_000;
const jobDatabase = 'bench_jobs';
const microseconds = 1_000_000;
const kind = { load: 'pairs', clients: 32, spread: 'uniform', processes: 1 } as const;

type Name = 'service' | ReferenceName;
const names = ['service', 'raw', 'jobs'] as const satisfies Name[];

interface Scene {
  readonly bench: Bench;
  readonly receiver: Receiver;
  readonly order: SendOrder;
}

/** Every event is due again at one moment, as after a resend of each. */
const dueAgain = `update deliveries set status = 'pending', first_attempt_at = null,
    next_attempt_at = null, due_at = now(), wake_at = now() + interval '1 second',
    revision = revision + 1`;

/** Reads the processor's time at the first and the last moment of a run. */
function openReadings({ service, database }: Bench) {
  const readings: CpuTimes[] = [];
  const read = (clientPid: number) => {
    const servicePids = [service.pid];
    readings.push(readCpu({ servicePids, postmasterPid: database.postmasterPid, clientPid }));
  };
  /** Seconds of the database and of what sent. */
  function spent(sender: 'service' | 'client'): number {
    const [before, after] = readings;
    if (!before || !after) throw new Error('the run was not measured');
    return after.database - before.database + after[sender] - before[sender];
  }
  return { read, spent };
}

/** Sends every event once. @returns events a second, until all are known to have arrived */
async function send({ bench, receiver, order }: Scene, name: Name): Promise<number> {
  const { client, service, say } = bench;
  const { read, spent } = openReadings(bench);
  let ended = 0;
  const end = (pid: number) => {
    ended = Date.now();
    read(pid);
  };
  await client.query('vacuum analyze deliveries');
  await receiver.reset();
  if (name === 'service') {
    await client.query(dueAgain);
    read(service.pid);
    await allDelivered(client, deliveredWithinMs);
    end(service.pid);
    await assertDelivered(client, order.bodies.length);
  } else {
    let child = 0;
    const begin = (pid: number) => {
      child = pid;
      read(pid);
    };
    await runReference(name, order, { begin, end: () => end(child) });
  }
  const { count, firstMs } = await receiver.report();
  if (count !== order.bodies.length)
    throw new Error(`${name} sent ${count} of ${order.bodies.length} events`);
  const perSecond = (count * 1_000) / (ended - firstMs);
  const cpu = (spent(name === 'service' ? 'service' : 'client') / count) * microseconds;
  say(
    `${name}: ${perSecond.toFixed(0)} events/s, ${cpu.toFixed(0)} us of sender and database each`,
  );
  return perSecond;
}

/** Makes the events, delivers them once, and describes them to the references. */
async function prepareOrder(bench: Bench, receiver: Receiver, folder: string) {
  const { client, database, service, maker } = bench;
  const { call, close } = await openCaller(service.port);
  for (const { tenant } of maker.allPeople) await setEndpoint(call, tenant, receiver.url);
  close();
  await (await prepareLoad(bench, kind, payments))();
  await allDelivered(client, deliveredWithinMs);
  const { rows } = await client.query<StoredText>(
    'select e.id, e.created_at, e.object_id, e.body from events e join deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id',
  );
  await client.query(`create database ${jobDatabase}`);
  const packageFolder = join(folder, '..', 'jobs');
  installJobs(packageFolder);
  return {
    url: receiver.url,
    secret: 'whsec_bench',
    bodies: rows.map(unpackEvent),
    together,
    databaseUrl: urlOf(database, jobDatabase),
    packageFolder,
  };
}

/** All of them in turns, forwards and backwards. */
async function compare(scene: Scene, rounds: number) {
  const ratios = { raw: [] as number[], jobs: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const rates = { service: 0, raw: 0, jobs: 0 };
    for (const name of round % 2 === 1 ? names : names.toReversed())
      rates[name] = await send(scene, name);
    // The first one warms up.
    if (round === 0) continue;
    ratios.raw.push(rates.service / rates.raw);
    ratios.jobs.push(rates.service / rates.jobs);
  }
  return ratios;
}

async function measure({ folder, rounds, say }: SectionOrder) {
  const needs = { needsReference: false, needsSecond: false, canProfile: false };
  const furnish = equalTenants(tenants);
  const bench = await openBench({ dataDir: folder, ...needs, say, furnish });
  const receiver = await startReceiver();
  try {
    const order = await prepareOrder(bench, receiver, folder);
    say(`${order.bodies.length} events`);
    const { raw, jobs } = await compare({ bench, receiver, order }, rounds);
    const { checked } = await checkLedger(bench.database);
    say(`every invariant holds: ${checked} rows checked`);
    return { webhooks_vs_raw_post: raw, webhooks_vs_graphile_worker: jobs };
  } finally {
    await bench.close();
    receiver.stop();
  }
}

/** Signed deliveries that are kept, beside two ways without the service. */
export const webhookSection: Section = {
  keys: ['webhooks_vs_raw_post', 'webhooks_vs_graphile_worker'],
  measure,
};
