import { setTimeout as sleep } from 'node:timers/promises';
import { openNightly } from '../../../service/jobs/nightly.ts';
import { startTestServer, type TestServer, type TestTenant } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { type ProofContext, proofTest, type Verdict } from '../../prove/proof.ts';
import { openLastingApi } from './lasting_api.ts';
import { startLoad } from './load.ts';

/** A round. */
const windowMs = 10_000;
/** Windows of ten minutes; a shorter run says nothing of time. */
const tenMinutes = 60;
const deliveredWithinMs = 60_000;
const slowest = 1.2;
/** The limit of growth of resident memory, from the second ten minutes to the last. */
const growth = 1.1;

/** Starts what a day has besides payments: the clock of a Tenant, its reports, proofs and vacuum, again and again. */
function startAround(server: TestServer, other: TestTenant, failures: string[]) {
  let isOver = false;
  const nightly = openNightly(server.service, { wholeBelow: 0, sealsAlways: true, openFor: 60 });
  const took = new Map<string, number[]>();
  const again = async (name: string, pauseMs: number, work: () => Promise<unknown>) => {
    const times: number[] = [];
    took.set(name, times);
    while (!isOver) {
      const beganMs = performance.now();
      await work().catch((error: Error) => {
        if (!isOver) failures.push(error.message);
      });
      times.push(performance.now() - beganMs);
      for (let slept = 0; slept < pauseMs && !isOver; slept += 100) await sleep(100);
    }
  };
  const { api } = openLastingApi(server.baseUrl, other);
  const running = Promise.all([
    again('clock', 5_000, () => api.post('/portal/api/clock/advance', { seconds: 6 * 3_600 })),
    again('reports', 5_000, () => api.get('/portal/api/reconciliation-reports')),
    again('proof', 20_000, () => nightly.verifyNow()),
    again('vacuum', 300_000, () => server.owner.query('vacuum analyze')),
  ]);
  return async () => {
    isOver = true;
    await nightly.stop();
    await running;
    return took;
  };
}

/** The ledger's cash of a Tenant. */
async function cashOf({ owner, tenant }: TestServer): Promise<number> {
  const { rows } = await owner.query<{ cash: number }>(
    `select coalesce(-sum(delta), 0)::bigint as cash from entries
      where tenant_id = $1 and account_id is null and pocket = 'cash'`,
    [tenant.tenantId],
  );
  return Number(rows[0]?.cash);
}

async function undelivered({ owner }: TestServer): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::integer as count from deliveries where status <> 'delivered'`,
  );
  return rows[0]?.count ?? 0;
}

/** Waits until all events are delivered. @throws after a minute */
const drained = async (server: TestServer): Promise<void> =>
  void (await until(async () => (await undelivered(server)) === 0, {
    what: 'the delivery of all events',
    withinMs: deliveredWithinMs,
    everyMs: 100,
  }));

const p99 = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The median time of each work besides payments, in its first and its last third. */
const growthOf = (took: ReadonlyMap<string, readonly number[]>) =>
  Object.fromEntries(
    [...took].flatMap(([name, times]) => {
      const third = Math.ceil(times.length / 3);
      const ms = (part: readonly number[]) => Math.round(median(part));
      return [
        [`${name}FirstMs`, ms(times.slice(0, third))],
        [`${name}LastMs`, ms(times.slice(-third))],
      ];
    }),
  );

interface Window {
  readonly times: readonly number[];
  readonly rssMb: number;
  /** Processor time of the service's process. */
  readonly cpuMs: number;
}

/** The processor's milliseconds since it was asked last. */
function openCpuMeter(): () => number {
  let before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    return (user + system) / 1_000;
  };
}

/** The first and the last ten minutes, or thirds of a shorter run. */
function compare(windows: readonly Window[]) {
  const size = Math.min(tenMinutes, Math.max(1, Math.floor(windows.length / 3)));
  const timesOf = (part: readonly Window[]) => p99(part.flatMap(({ times }) => times));
  const cpuOf = (part: readonly Window[]) =>
    part.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / part.flatMap(({ times }) => times).length;
  const rssOf = (part: readonly Window[]) => median(part.map(({ rssMb }) => rssMb));
  return {
    firstP99Ms: Math.round(timesOf(windows.slice(0, size))),
    lastP99Ms: Math.round(timesOf(windows.slice(-size))),
    firstCpuMs: Number(cpuOf(windows.slice(0, size)).toFixed(1)),
    lastCpuMs: Number(cpuOf(windows.slice(-size)).toFixed(1)),
    firstRssMb: Math.round(rssOf(windows.slice(size, 2 * size))),
    lastRssMb: Math.round(rssOf(windows.slice(-size))),
  };
}

async function soak({ seed, rounds, progress }: ProofContext): Promise<Verdict> {
  const failures: string[] = [];
  const server = await startTestServer({
    tenant: { rateLimit: 10_000_000 },
    onLog: (line) => {
      const { level, alarm, msg } = JSON.parse(line);
      if (level >= 50) failures.push(`${alarm ?? 'log'}: ${msg}`);
    },
  });
  const other = await server.anotherTenant();
  const load = await startLoad();
  await server.api.put('/portal/api/webhook-endpoint', { url: load.url, enabled: true });
  // First, so that half of what it can do is half of what it can do beside all that.
  const endAround = startAround(server, other, failures);
  let before = 0;
  const plan = { baseUrl: server.baseUrl, tenant: server.tenant, seed };
  const begun = await load.beginHalf(plan, async () => {
    await drained(server);
    // Tables that were empty a minute ago have no statistics yet, which those of a service at work have.
    await server.owner.query('analyze');
    before = await cashOf(server);
  });
  const windows: Window[] = [];
  await load.take();
  const cpu = openCpuMeter();
  for (let round = 0; round < rounds; round += 1) {
    await sleep(windowMs);
    windows.push({
      times: await load.take(),
      rssMb: process.memoryUsage().rss / 1e6,
      cpuMs: cpu(),
    });
    progress(round + 1);
  }
  const ended = await load.end();
  const took = await endAround();
  const violations = [...new Set([...failures, ...ended.failures])];
  const cash = await cashOf(server);
  const brought = ended.brought - begun.brought;
  if (cash - before !== brought)
    violations.push(`cash has grown by ${cash - before}, the bank says ${brought}`);
  const figures = {
    ...compare(windows),
    ...growthOf(took),
    rate: Math.round(begun.rate),
    repeats: ended.repeats,
  };
  if (rounds >= 2 * tenMinutes) {
    if (figures.lastP99Ms > slowest * figures.firstP99Ms) violations.push('it has become slower');
    if (figures.lastRssMb > growth * figures.firstRssMb) violations.push('memory has grown');
  }
  await drained(server).catch(async () =>
    violations.push(`${await undelivered(server)} events are not delivered`),
  );
  load.stop();
  // The stop proves the whole ledger and the audit.
  await server.stop().catch((error: Error) => violations.push(error.message));
  return { rounds, violations, figures };
}

proofTest(
  'at half of what it can do, with everything at work, the service stays as fast and as large as it was',
  1,
  soak,
);
