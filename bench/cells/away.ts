import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { openDatabase } from '../database.ts';
import { prepareLoad } from '../loads.ts';
import type { PaymentsKind } from '../measure/runs.ts';
import { secondCell } from '../setup/furnish.ts';
import type { PaymentMaker } from '../setup/payments.ts';

/** Payments of the first cell, as fast as so many clients can. */
export const kind: PaymentsKind = {
  load: 'payments',
  clients: 32,
  spread: 'first_cell',
  processes: 1,
};
export const payments = 6_000;
/** The requests of the second cell's Tenants meanwhile. */
const asksPerSecond = 100;
const maximumWaiting = 200;

/** Asks in the second cell until it is stopped, whether or not it answers. @returns how often, by status */
export function askSecondCell({ port, allPeople }: Pick<PaymentMaker, 'port' | 'allPeople'>) {
  const token = allPeople.at(-1)?.tenant.token ?? '';
  const statuses: Record<string, number> = {};
  const url = `http://127.0.0.1:${port}/v1/payments/pay_x`;
  const stopper = new AbortController();
  let waiting = 0;
  async function ask(): Promise<void> {
    waiting += 1;
    const headers = { authorization: `Bearer ${token}` };
    const status = await fetch(url, { headers, signal: stopper.signal }).then(
      async (reply) => {
        await reply.arrayBuffer();
        return String(reply.status);
      },
      () => 'given up',
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    waiting -= 1;
  }
  const timer = setInterval(() => {
    if (waiting < maximumWaiting) void ask();
  }, 1_000 / asksPerSecond);
  return {
    async stop(): Promise<typeof statuses> {
      clearInterval(timer);
      stopper.abort();
      while (waiting > 0) await sleep(10);
      return statuses;
    },
  };
}

/** The 99th percentile of a payment in the first cell, in ms. @param isAway the second one answers nothing */
async function p99With(bench: Bench, isAway: boolean): Promise<number> {
  const load = await prepareLoad(bench, kind, payments);
  const owner = await openDatabase(bench.database, 'postgres');
  await owner.query('begin');
  if (isAway) await owner.query(`lock table ${secondCell}.tenants in access exclusive mode`);
  const asking = askSecondCell(bench.maker);
  try {
    // Its callers wait, and hold what they may hold of the process.
    await sleep(3_000);
    const { p99Ms, perSecond } = await load();
    const statuses = JSON.stringify(await asking.stop());
    bench.say(
      `second cell ${isAway ? 'away' : 'there'} ${statuses}: ${perSecond.toFixed(0)} payments a second ` +
        `in the first, p99 ${p99Ms?.toFixed(1)} ms`,
    );
    return p99Ms ?? Number.NaN;
  } finally {
    await asking.stop();
    await owner.end();
  }
}

/**
 * @param p99With of payments in the first cell, while the second one is away or there
 * @returns the one / the other, of each round
 */
export async function compareRounds(
  p99With: (isAway: boolean) => Promise<number>,
  rounds: number,
): Promise<number[]> {
  const ratios: number[] = [];
  await p99With(false);
  for (let round = 1; round <= rounds; round += 1) {
    const isAwayFirst = round % 2 === 0;
    const first = await p99With(isAwayFirst);
    const second = await p99With(!isAwayFirst);
    ratios.push(isAwayFirst ? first / second : second / first);
  }
  return ratios;
}

/** p99 of payments while the other cell answers nothing / while it does, of each round. */
export const compareAway = (bench: Bench, rounds: number): Promise<number[]> =>
  compareRounds((isAway) => p99With(bench, isAway), rounds);
