import { proofTest } from '../../prove/proof.ts';
import { type Action, openStatementProxy, type Statement } from './statement_proxy.ts';
import type { TcpProxy } from './tcp_proxy.ts';
import { proveUnderLoad, type Running } from './under_load.ts';

/** A read is cut in so many rounds instead: its client must not come back from the pool. */
const readEvery = 10;
/** The pool hands out first who came back last: a broken client would be met at once. */
const readsAtOnce = 6;

type Place = 'commit' | 'read';

/** Finds the exchanges that write and so commit, and the reads of disputes. */
function placeOf({ sql }: Statement): Place | null {
  if (/^insert into (?!requests)/m.test(sql)) return 'commit';
  return sql.includes('from disputes') ? 'read' : null;
}

/** A proxy that cuts one statement on each call of `cutNext`. */
async function openCutter(url: string) {
  let aim: { readonly action: Action; readonly place: Place; hit(): void } | null = null;
  const proxy = await openStatementProxy(url, {
    actionOf(statement) {
      const place = placeOf(statement);
      if (aim === null || aim.place !== place) return 'pass';
      const { action, hit } = aim;
      aim = null;
      hit();
      return action;
    },
  });
  return {
    proxy,
    cutNext: (place: Place, action: Action): Promise<void> =>
      new Promise((hit) => {
        aim = { place, action, hit };
      }),
  };
}
type Cutter = Awaited<ReturnType<typeof openCutter>>;

/** Cuts a read, which another session answers, then reads again from the same pool. @returns what is wrong */
async function cutRead({ server }: Running, { cutNext }: Cutter, action: Action) {
  const read = async () => (await server.call('GET', '/v1/disputes?limit=1')).status;
  const cut = cutNext('read', action);
  const status = await read();
  await cut;
  const after = await Promise.all(Array.from({ length: readsAtOnce }, read));
  const lost = after.filter((one) => one !== 200);
  return [
    ...(status === 200 ? [] : [`a read whose connection broke was answered ${status}`]),
    ...(lost.length === 0 ? [] : [`after a read was cut, ${lost.length} others met ${lost[0]}`]),
  ];
}

proofTest(
  'a COMMIT whose outcome is unknown is never refused falsely, and a retry under its key finds one effect',
  20,
  async (context) => {
    let cutter: Cutter | null = null;
    const cuts = { committed: 0, dropped: 0, reads: 0 };
    const via = async (url: string) => {
      cutter = await openCutter(url);
      return cutter.proxy.url;
    };
    const verdict = await proveUnderLoad(
      context,
      { via, deadlineMs: 10_000, backWithinMs: 5_000 },
      async (running, { round, choices, violate, recovery }) => {
        const action = choices.pick(['cut_before', 'cut_after'] as const);
        if (!cutter) return;
        if (round % readEvery === readEvery - 1) {
          for (const what of await cutRead(running, cutter, action)) violate(what);
          cuts.reads += 1;
          return;
        }
        await cutter.cutNext('commit', action);
        await recovery(performance.now());
        cuts[action === 'cut_after' ? 'committed' : 'dropped'] += 1;
      },
    );
    await (cutter as unknown as { proxy: TcpProxy }).proxy.close();
    const figures = { ...cuts, ...verdict.figures };
    const isMissed = cuts.committed > 0 && verdict.figures?.ambiguousApplied === 0;
    const missed = isMissed ? ['no cut COMMIT had taken effect: the fault was not caused'] : [];
    return { ...verdict, figures, violations: [...verdict.violations, ...missed] };
  },
);
