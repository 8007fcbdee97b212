import { randomUUID } from 'node:crypto';
import type { KeyRing } from '../../../engine/key_ring.ts';
import type { Secrets } from '../../../service/config/config.ts';
import { verifyLedger } from '../../../service/invariants/verify.ts';
import { testDatabase } from '../../kit/database/database.ts';
import { type Deployment, openDeployment } from '../../kit/processes/processes.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { proofTest } from '../../prove/proof.ts';
import { type Action, openStatementProxy } from '../database/statement_proxy.ts';
import { type Operation, operations, type Request } from './operations.ts';
import { openSetup } from './records.ts';

/** A service process whose every statement passes a proxy, and which can be killed at one. */
interface CrashProcess {
  readonly baseUrl: string;
  /**
   * From now on counts the statements of requests.
   * @param actionOf what is done with the n-th from 0; at any other than `pass` the process is killed
   */
  watch(actionOf: (index: number) => Action): void;
  /** The statements since `watch`, in order; the last one is the one at which it was killed. */
  seen(): readonly string[];
  /** Kills it, if it lives; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Statements that the process runs now and then, whatever is requested. */
const ofNoRequest = /\b(processes|requests)\b/;

/** A ring as its setting writes it. */
const written = (ring: KeyRing<Buffer | string>): string =>
  ring
    .map(({ id, key }) => `${id}:${typeof key === 'string' ? key : key.toString('hex')}`)
    .join(',');

/** Starts a process with the role `api`. */
async function startCrashProcess(
  deployment: Deployment,
  databaseUrl: string,
  secrets: Secrets,
): Promise<CrashProcess> {
  let actionOf: ((index: number) => Action) | null = null;
  let seen: string[] = [];
  let kill = () => {};
  const proxy = await openStatementProxy(databaseUrl, {
    actionOf({ sql }) {
      if (actionOf === null || ofNoRequest.test(sql)) return 'pass';
      seen.push(sql);
      return actionOf(seen.length - 1);
    },
    onCut: () => kill(),
  });
  const { baseUrl, child, ended } = await deployment.start('api', {
    DATABASE_URL: proxy.url,
    LOG_LEVEL: 'silent',
    PIN_PEPPER: written(secrets.pinPeppers),
    SEALING_KEY: written(secrets.sealingKeys),
    QR_SIGNING_KEY: written(secrets.qrSigningKeys),
    ...(secrets.identityKeys && { IDENTITY_KEY: written(secrets.identityKeys) }),
  });
  /** The process first, so that it never learns that its connections broke. */
  kill = () => {
    child.kill('SIGKILL');
    proxy.cutAll();
  };
  return {
    baseUrl,
    watch(decide) {
      seen = [];
      actionOf = decide;
    },
    seen: () => seen,
    async kill() {
      kill();
      await ended;
      await proxy.close();
    },
  };
}

/** How often each kind of row is there, or what it sums up to. */
type Census = ReadonlyMap<string, number>;

/** Not effects of a request: live processes, the log, tokens, and counts by day. */
const uncounted = new Set(['processes', 'requests', 'access_tokens', 'limit_counters']);

const tenantTables = `select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
  where $1::uuid is not null and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  order by 1`;

/** Beside the rows of each table: events by type, jobs by name, cents by step and pocket. */
const kinds = [
  `select 'event ' || type, count(*) from events where tenant_id = $1 group by 1`,
  `select 'job ' || name, count(*) from jobs where tenant_id = $1 group by 1`,
  `select 'cents of ' || concat_ws(' ', step, pocket), sum(delta) from entries
   where tenant_id = $1 group by 1`,
];

/** @returns counts the rows of the server's Tenant */
async function openCensus({ engine }: TestServer): Promise<() => Promise<Census>> {
  const tables = await engine.query<{ name: string }>(tenantTables);
  const counts = tables
    .filter(({ name }) => !uncounted.has(name))
    .map(({ name }) => `select '${name}', count(*) from ${name} where tenant_id = $1`);
  const text = `select kind, count::float8 as count from (
    ${[...counts, ...kinds].join(' union all ')}) x(kind, count)`;
  return async () => {
    const rows = await engine.query<{ kind: string; count: number }>(text);
    return new Map(rows.map(({ kind, count }) => [kind, count]));
  };
}

/** By how much each count changed. */
function changesOf(before: Census, after: Census): Census {
  const kinds = [...after.keys(), ...before.keys()];
  const changes = kinds.map((kind): [string, number] => [
    kind,
    (after.get(kind) ?? 0) - (before.get(kind) ?? 0),
  ]);
  return new Map(changes.filter(([, change]) => change !== 0));
}

/** The differences from what should be, as `event payment.created 2 instead of 1`. */
function differences(found: Census, expected: Census): string[] {
  return [...changesOf(expected, found).keys()].map(
    (kind) => `${kind} ${found.get(kind) ?? 0} instead of ${expected.get(kind) ?? 0}`,
  );
}

/** The course of an operation when its process is not killed. */
interface Course {
  /** Statements from the request to its reply. */
  readonly statements: number;
  readonly effect: Census;
  /** The points where it is killed, in the order of the rounds. */
  readonly points: readonly number[];
}

/**
 * Every point once: two for each statement and two at the reply. Reads, writes, and what comes from the
 * COMMIT on take turns, so that few rounds try each.
 */
function pointsOf(statements: readonly string[], { shuffle }: Choices): number[] {
  const begin = statements.indexOf('begin');
  const commit = statements.indexOf('commit', begin);
  const phases: number[][] = [[], [], []];
  for (let point = 0; point < 2 * statements.length + 2; point += 1) {
    const index = Math.floor(point / 2);
    phases[index < begin ? 0 : index < commit ? 1 : 2]?.push(point);
  }
  const turns = shuffle(phases).map((points) => shuffle(points));
  const longest = Math.max(...turns.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    turns.flatMap((points) => points.slice(place, place + 1)),
  ).flat();
}

/** Cuts the statement at a point. */
function actionAt(point: number): (index: number) => Action {
  const action = point % 2 === 0 ? 'cut_before' : 'cut_after';
  return (index) => (index === Math.floor(point / 2) ? action : 'pass');
}

function nameOf(point: number, { statements }: Course, seen: readonly string[]): string {
  if (point === 2 * statements) return 'before its reply was received';
  if (point > 2 * statements) return 'after its reply';
  const sql = seen.at(-1)?.replaceAll(/\s+/g, ' ').slice(0, 60);
  return `${point % 2 === 0 ? 'before' : 'after'} statement ${Math.floor(point / 2) + 1} (${sql})`;
}

interface Figures {
  kills: number;
  committed: number;
  acknowledged: number;
}

/** A server that makes records ready, and processes beside it that are killed. */
async function openCrashes(seed: number, figures: Figures) {
  const database = await testDatabase(true);
  const server = await startTestServer({
    database,
    workers: false,
    // More than any proof sends.
    tenant: { sample: true, calendar: false, rateLimit: 10_000_000 },
  });
  const { service, engine, workers } = server;
  const deployment = await openDeployment(database);
  const start = () => startCrashProcess(deployment, database.serviceUrl, service.config);
  let current = await start();
  let next = start();
  const setup = await openSetup(server);
  const census = await openCensus(server);
  const courses = new Map<string, Course>();
  const known = new Set<string>();

  /** The reply as it came, byte for byte. */
  async function send(process: CrashProcess, { method, path, body }: Request, key: string) {
    const authorization = `Bearer ${server.token}`;
    const reply = await fetch(`${process.baseUrl}${path}`, {
      method,
      headers: {
        authorization,
        'idempotency-key': key,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const isReplay = reply.headers.get('idempotent-replayed') === 'true';
    return { status: reply.status, text: await reply.text(), isReplay };
  }

  /** Runs what is due, also what a killed process had claimed. */
  async function settle(): Promise<void> {
    await engine.query(
      'update jobs set lease_until = null where tenant_id = $1 and lease_until is not null',
    );
    workers.jobs.forget();
    await server.runJobs();
  }

  /** @returns what a run changed, with what fell due at once */
  async function changesBy(run: () => Promise<void>): Promise<Census> {
    await settle();
    const before = await census();
    await run();
    await settle();
    return changesOf(before, await census());
  }

  async function playUndisturbed({ name, request }: Operation) {
    const made = await request(setup);
    let statements: readonly string[] = [];
    const effect = await changesBy(async () => {
      current.watch(() => 'pass');
      const { status, text } = await send(current, made, randomUUID());
      statements = current.seen();
      if (status >= 300) throw new Error(`${name} was refused: ${status} ${text}`);
    });
    return { statements, effect };
  }

  async function courseOf(operation: Operation): Promise<Course> {
    const found = courses.get(operation.name);
    if (found) return found;
    // A row that a first time leaves behind, such as a row of the day, is no effect of a later one.
    await playUndisturbed(operation);
    const { statements, effect } = await playUndisturbed(operation);
    const points = pointsOf(statements, choicesOf(seed, `points ${operation.name}`));
    const course = { statements: statements.length, effect, points };
    courses.set(operation.name, course);
    return course;
  }

  /** Violations that were not there before. */
  async function newViolations(): Promise<string[]> {
    const { violations } = await verifyLedger(service.pool);
    const found = violations.map((violation) => JSON.stringify(violation));
    const fresh = found.filter((violation) => !known.has(violation));
    for (const violation of fresh) known.add(violation);
    return fresh;
  }

  /** Sends a request, kills the process on the way, and sends it twice more. @returns what is wrong */
  async function play(operation: Operation, visit: number): Promise<string[]> {
    const course = await courseOf(operation);
    const point = course.points[visit % course.points.length] ?? 0;
    const request = await operation.request(setup);
    const key = randomUUID();
    const wrong: string[] = [];
    let at = '';
    const effect = await changesBy(async () => {
      current.watch(actionAt(point));
      const first = await send(current, request, key).catch(() => null);
      at = nameOf(point, course, current.seen());
      await current.kill();
      current = await next;
      next = start();
      next.catch(() => {});
      const again = await send(current, request, key);
      const third = await send(current, request, key);
      figures.kills += 1;
      if (first && point !== 2 * course.statements) figures.acknowledged += 1;
      if (again.isReplay) figures.committed += 1;
      if (first && first.status >= 300) wrong.push(`the reply was ${first.status} ${first.text}`);
      if (again.status >= 300) wrong.push(`the retry was refused: ${again.status} ${again.text}`);
      if (first && first.status < 300 && (first.text !== again.text || !again.isReplay))
        wrong.push(`acknowledged as ${first.text}, then answered ${again.text}`);
      if (third.text !== again.text || !third.isReplay)
        wrong.push(`the second retry was answered ${third.text}, the first ${again.text}`);
    });
    wrong.push(...differences(effect, course.effect), ...(await newViolations()));
    return wrong.map((what) => `${operation.name}, killed ${at}: ${what}`);
  }

  async function stop(): Promise<string[]> {
    for (const process of [current, await next]) await process.kill();
    const ends = [server.stop, deployment.stop];
    const wrong: string[] = [];
    for (const end of ends) await end().catch((error: Error) => wrong.push(error.message));
    return wrong;
  }
  return { play, stop };
}

/** Rounds over all operations, one operation after the other, each with as many visits. */
function visitsOf(choices: Choices, rounds: number): (readonly [Operation, number])[] {
  return choices.shuffle(operations).flatMap((operation, index) => {
    const visits = Math.max(0, Math.ceil((rounds - index) / operations.length));
    return Array.from({ length: visits }, (_, visit) => [operation, visit] as const);
  });
}

/** Then another server: what was made in one must not expire while it is used, ten minutes later. */
const roundsOfServer = 100;

proofTest(
  'a service that is killed at any statement leaves an operation done once, or not at all until it is requested again',
  12,
  async ({ seed, rounds, progress }) => {
    const figures: Figures = { kills: 0, committed: 0, acknowledged: 0 };
    const violations: string[] = [];
    const visits = visitsOf(choicesOf(seed, 'crashes'), rounds);
    for (let done = 0; done < rounds; done += roundsOfServer) {
      const { play, stop } = await openCrashes(seed, figures);
      for (const [index, [operation, visit]] of visits
        .slice(done, done + roundsOfServer)
        .entries()) {
        violations.push(...(await play(operation, visit)));
        progress(done + index + 1);
      }
      violations.push(...(await stop()));
    }
    return { rounds, violations, figures: { operations: operations.length, ...figures } };
  },
);
