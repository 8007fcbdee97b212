import { setTimeout as sleep } from 'node:timers/promises';
import { choicesOf } from '../../kit/seed.ts';
import type { Proof } from '../../prove/proof.ts';
import { type Load, startLoad } from './load.ts';
import { type DatabaseHouse, openDatabaseHouse } from './service.ts';
import { type Fate, openStatementProxy, type Statement } from './statement_proxy.ts';

/** The service is well again so soon after a connection broke (reliability F3). */
const wellWithinMs = 5_000;
/** Every request has an answer within this. */
const deadlineMs = 10_000;
/** A read is cut in so many rounds instead: its client must not come back from the pool. */
const readEvery = 10;
/** The pool hands out first who came back last: a broken client would be met at once. */
const readsAtOnce = 6;
/** The server ends a session soon after its connection broke. */
const settleMs = 1_000;
const readPath = '/v1/disputes?limit=1';

type Fits = (statement: Statement) => boolean;

/** Tells the COMMIT of a transaction that writes from the end of a snapshot. */
function openCommits(): Fits {
  const writing = new Map<number, boolean>();
  return ({ connection, sql }) => {
    if (/^begin/i.test(sql)) writing.set(connection, !/read only/i.test(sql));
    return /^commit$/i.test(sql) && writing.get(connection) === true;
  };
}

/** The only statement of this proof that asks for disputes. */
const ofTheRead: Fits = ({ sql }) => sql.includes('from disputes');

/** A proxy that cuts one statement each time it is asked to. */
async function openCutter(url: string) {
  const isCommit = openCommits();
  let aim: { readonly fate: Fate; readonly at: 'commit' | 'read'; hit(): void } | null = null;
  const proxy = await openStatementProxy(url, {
    judge(statement) {
      const at = isCommit(statement) ? 'commit' : ofTheRead(statement) ? 'read' : null;
      if (aim === null || aim.at !== at) return 'pass';
      const { fate, hit } = aim;
      aim = null;
      hit();
      return fate;
    },
  });
  return {
    proxy,
    cutNext: (at: 'commit' | 'read', fate: Fate): Promise<void> =>
      new Promise((hit) => {
        aim = { at, fate, hit };
      }),
  };
}
type Cutter = Awaited<ReturnType<typeof openCutter>>;

const read = async ({ house }: DatabaseHouse): Promise<number> =>
  (
    await fetch(`${house.baseUrl}${readPath}`, {
      headers: { authorization: `Bearer ${house.token}` },
    })
  ).status;

/** Cuts a read, then reads again from the same pool. @returns what is wrong */
async function cutRead(house: DatabaseHouse, { cutNext }: Cutter, fate: Fate): Promise<string[]> {
  const cut = cutNext('read', fate);
  const status = await read(house);
  await cut;
  const after = await Promise.all(Array.from({ length: readsAtOnce }, () => read(house)));
  const lost = after.filter((one) => one !== 200);
  return [
    ...(status === 503 ? [] : [`a read whose connection broke was answered ${status}`]),
    ...(lost.length === 0 ? [] : [`after a read was cut, ${lost.length} others met ${lost[0]}`]),
  ];
}

/** Cuts the next COMMIT and waits until a write that began after it is acknowledged. */
async function cutCommit(load: Load, { cutNext }: Cutter, fate: Fate): Promise<number> {
  await cutNext('commit', fate);
  const cutMs = performance.now();
  return (await load.ackedSince(cutMs)) - cutMs;
}

export const commitProof: Proof = {
  key: 'commit',
  fault: 'the COMMIT is lost on its way to PostgreSQL, or its reply on the way back, under load',
  promise: 'no false refusal, one effect for each key, well again within 5 s',
  rounds: 600,
  async run({ seed, rounds, progress }) {
    let opened: Cutter | undefined;
    const house = await openDatabaseHouse(undefined, async (url) => {
      opened = await openCutter(url);
      return opened.proxy.url;
    });
    const cutter = opened as unknown as Cutter;
    const load = await startLoad(house.house, { seed, deadlineMs });
    await load.ackedSince(performance.now());
    const violations: string[] = [];
    const figures = { committed: 0, dropped: 0, reads: 0, slowestRecoveryMs: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const { pick } = choicesOf(seed, `commit ${round}`);
      const fate = pick(['cut_before', 'cut_after'] as const);
      if (round % readEvery === readEvery - 1) {
        violations.push(...(await cutRead(house, cutter, fate)));
        figures.reads += 1;
      } else {
        const recoveryMs = Math.round(await cutCommit(load, cutter, fate));
        figures.slowestRecoveryMs = Math.max(figures.slowestRecoveryMs, recoveryMs);
        if (recoveryMs > wellWithinMs)
          violations.push(`round ${round}: no write for ${recoveryMs} ms`);
        figures[fate === 'cut_after' ? 'committed' : 'dropped'] += 1;
      }
      progress(round + 1);
    }
    const ended = await load.end();
    const { acked, refused, unavailable, cut } = load.counts;
    const { ambiguous, ambiguousApplied } = ended;
    if (figures.committed > 0 && ambiguousApplied === 0)
      violations.push('no cut COMMIT had taken effect: the fault was not done');
    await sleep(settleMs);
    violations.push(...ended.violations, ...(await house.stop()));
    await cutter.proxy.close();
    return {
      rounds,
      violations,
      figures: { ...figures, acked, refused, unavailable, cut, ambiguous, ambiguousApplied },
    };
  },
};
