import { randomUUID } from 'node:crypto';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import type { Proof } from '../../prove/proof.ts';
import type { Fate } from '../database/statement_proxy.ts';
import { type Operation, type Order, operations } from './operations.ts';
import type { Victim } from './process.ts';
import { type Census, type CrashHouse, openCrashHouse } from './setup.ts';

/** What an operation does when nobody is killed. */
interface Course {
  /** Statements from the request to its reply. */
  readonly statements: number;
  readonly effect: Effect;
  /** Where it is killed, in the order of the rounds. */
  readonly points: readonly number[];
}

/** By how much each count of the census changed. */
type Effect = ReadonlyMap<string, number>;

interface Heard {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

async function send(victim: Victim, token: string, order: Order, key: string): Promise<Heard> {
  const { method, path, body } = order;
  const reply = await fetch(`${victim.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const replayed = reply.headers.get('idempotent-replayed') === 'true';
  return { status: reply.status, text: await reply.text(), replayed };
}

function effectOf(before: Census, after: Census): Effect {
  const kinds = [...after.keys(), ...before.keys()];
  const pairs = kinds.map((kind): [string, number] => [
    kind,
    (after.get(kind) ?? 0) - (before.get(kind) ?? 0),
  ]);
  return new Map(pairs.filter(([, change]) => change !== 0));
}

/** What is other than it should be, as `event payment.created 2 instead of 1`. */
function differences(found: Effect, expected: Effect): string[] {
  const kinds = new Set([...found.keys(), ...expected.keys()]);
  return [...kinds].flatMap((kind) => {
    const [is, should] = [found.get(kind) ?? 0, expected.get(kind) ?? 0];
    return is === should ? [] : [`${kind} ${is} instead of ${should}`];
  });
}

/**
 * Every point, once: two a statement and two at the reply. What is read, what is written, and what
 * comes from the COMMIT on take turns, so that few rounds try each.
 */
function pointsOf(statements: readonly string[], { shuffle }: Choices): number[] {
  const begin = statements.indexOf('begin');
  const commit = statements.indexOf('commit', begin);
  const phases: number[][] = [[], [], []];
  for (let point = 0; point < 2 * statements.length + 2; point += 1) {
    const index = Math.floor(point / 2);
    const phase = index < begin ? 0 : index < commit ? 1 : 2;
    phases[phase]?.push(point);
  }
  const turns = shuffle(phases).map((points) => shuffle(points));
  const longest = Math.max(...turns.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    turns.flatMap((points) => points.slice(place, place + 1)),
  ).flat();
}

/** Where a point lies in a request of so many statements. */
function fatesOf(point: number): (index: number) => Fate {
  const fate: Fate = point % 2 === 0 ? 'cut_before' : 'cut_after';
  return (index) => (index === Math.floor(point / 2) ? fate : 'pass');
}

/** The first words of a statement tell it from its neighbours. */
const shortly = (sql = ''): string => sql.replaceAll(/\s+/g, ' ').slice(0, 60);

function nameOf(point: number, { statements }: Course, seen: readonly string[]): string {
  if (point === 2 * statements) return 'before its reply was heard';
  if (point > 2 * statements) return 'after its reply';
  const place = point % 2 === 0 ? 'before' : 'after';
  return `${place} statement ${Math.floor(point / 2) + 1} (${shortly(seen.at(-1))})`;
}

interface Figures {
  kills: number;
  committed: number;
  acknowledged: number;
}

/** Plays crashes on one house, and knows how each operation goes without. */
function openCrashes(house: CrashHouse, seed: number, figures: Figures) {
  const { stage, token } = house;
  const courses = new Map<string, Course>();
  let victim: Victim | null = null;

  /** @returns what a run changed, with what fell due at once */
  async function watched(run: (key: string) => Promise<void>): Promise<Effect> {
    await house.settle();
    const before = await house.census();
    await run(randomUUID());
    await house.settle();
    return effectOf(before, await house.census());
  }

  async function playUndisturbed(one: Victim, { name, make }: Operation) {
    const order = await make(stage);
    let statements: readonly string[] = [];
    const effect = await watched(async (key) => {
      one.watch(() => 'pass');
      const { status, text } = await send(one, token, order, key);
      statements = one.seen();
      if (status >= 300) throw new Error(`${name} was refused: ${status} ${text}`);
    });
    return { statements, effect };
  }

  async function courseOf(one: Victim, operation: Operation): Promise<Course> {
    const known = courses.get(operation.name);
    if (known) return known;
    // What a first time leaves behind, such as a row of the day, is none of a later one's effects.
    await playUndisturbed(one, operation);
    const { statements, effect } = await playUndisturbed(one, operation);
    const points = pointsOf(statements, choicesOf(seed, `points ${operation.name}`));
    const course = { statements: statements.length, effect, points };
    courses.set(operation.name, course);
    return course;
  }

  /** Sends it, is killed on the way, and sends it again. @returns what is wrong */
  async function crash(one: Victim, order: Order, key: string, course: Course, point: number) {
    const isReplyLost = point === 2 * course.statements;
    one.watch(fatesOf(point));
    const first = await send(one, token, order, key).catch(() => null);
    const at = nameOf(point, course, one.seen());
    await one.kill();
    figures.kills += 1;
    victim = await house.victim();
    const again = await send(victim, token, order, key);
    const third = await send(victim, token, order, key);
    const wrong: string[] = [];
    if (first && !isReplyLost) figures.acknowledged += 1;
    if (again.replayed) figures.committed += 1;
    if (first && first.status >= 300) wrong.push(`it was told ${first.status} ${first.text}`);
    if (again.status >= 300) wrong.push(`the retry was refused: ${again.status} ${again.text}`);
    if (first && first.status < 300 && (first.text !== again.text || !again.replayed))
      wrong.push(`acknowledged as ${first.text}, then told ${again.text}`);
    if (third.text !== again.text || !third.replayed)
      wrong.push(`the second retry was told ${third.text}, the first ${again.text}`);
    return { at, wrong };
  }

  return {
    async play(operation: Operation, visit: number): Promise<string[]> {
      victim ??= await house.victim();
      const one = victim;
      const course = await courseOf(one, operation);
      const point = course.points[visit % course.points.length] ?? 0;
      const order = await operation.make(stage);
      let crashed: { at: string; wrong: string[] } | null = null;
      const effect = await watched(async (key) => {
        crashed = await crash(one, order, key, course, point);
      });
      const { at, wrong } = crashed ?? { at: '', wrong: [] };
      const found = [...wrong, ...differences(effect, course.effect), ...(await house.prove())];
      return found.map((what) => `${operation.name}, killed ${at}: ${what}`);
    },
  };
}

/** So many rounds over all operations, one operation after the other, each with as many visits. */
function visitsOf(choices: Choices, rounds: number): (readonly [Operation, number])[] {
  return choices.shuffle(operations).map((operation, index) => {
    const visits = Math.ceil((rounds - index) / operations.length);
    return [operation, Math.max(0, visits)] as const;
  });
}

/**
 * A house is left before anything that was made in it ends by time, which would count as an effect of
 * the round that it falls into: the shortest such time is ten minutes.
 */
const oldestHouseMs = 120_000;

/** The house in which the next operation is played: another one when the last has grown old. */
function openHouses(seed: number) {
  const figures: Figures = { kills: 0, committed: 0, acknowledged: 0 };
  const violations: string[] = [];
  let house: CrashHouse | null = null;
  let leaveAtMs = 0;
  let play: ReturnType<typeof openCrashes>['play'] | null = null;

  async function leave(): Promise<void> {
    const left = house;
    [house, play] = [null, null];
    if (left) violations.push(...(await left.stop()));
  }

  return {
    figures,
    violations,
    leave,
    async enter() {
      if (play && performance.now() < leaveAtMs) return play;
      await leave();
      house = await openCrashHouse();
      leaveAtMs = performance.now() + oldestHouseMs;
      play = openCrashes(house, seed, figures).play;
      return play;
    },
  };
}

export const crashProof: Proof = {
  key: 'crash',
  fault:
    'the service is killed (kill -9) before or after a SQL statement or the reply of an operation, restarted, and asked again under the same key',
  promise: 'exactly one effect with all its events and jobs, equal replies, the book holds',
  rounds: 500,
  async run({ seed, rounds, progress }) {
    const { figures, violations, enter, leave } = openHouses(seed);
    let done = 0;
    try {
      for (const [operation, visits] of visitsOf(choicesOf(seed, 'crashes'), rounds)) {
        if (visits === 0) break;
        const play = await enter();
        for (let visit = 0; visit < visits; visit += 1) {
          violations.push(...(await play(operation, visit)));
          done += 1;
          progress(done);
        }
      }
    } finally {
      await leave();
    }
    return { rounds: done, violations, figures: { operations: operations.length, ...figures } };
  },
};
