import type { Call } from '../load/callers.ts';
import { median } from '../report.ts';
import type { Random } from '../setup/random.ts';
import type { ReportsSetup } from './setup.ts';

const pageSize = 25;
/** Pages of each account in a round, in turns. */
const pagesARound = 200;
const pagesAhead = 20;

interface Listed {
  readonly data: readonly { readonly created_at: string }[];
  readonly next_cursor: string | null;
}

async function page(call: Call, { token }: ReportsSetup, account: string, to: string) {
  const query = new URLSearchParams({ limit: String(pageSize), to });
  const path = `/v1/accounts/${account}/transactions?${query}`;
  const started = performance.now();
  const { data } = (await call({ method: 'GET', path, token }, 200)) as Listed;
  const ms = performance.now() - started;
  if (data.length !== pageSize) throw new Error(`a page of ${data.length} Transactions`);
  return ms;
}

/**
 * Pages of 25 from anywhere in the past of both accounts, by turns.
 * @returns the median of each account's, in milliseconds
 */
export async function comparePages(call: Call, setup: ReportsSetup, random: Random) {
  const { longAccount, shortAccount, from, to } = setup;
  const [first, last] = [Date.parse(from), Date.parse(to)];
  // Later than the first page of the short account, which would not be full.
  const early = first + (last - first) / 10;
  const anywhere = () => new Date(random.between(early, last)).toISOString();
  const long: number[] = [];
  const short: number[] = [];
  for (let turn = -pagesAhead; turn < pagesARound; turn += 1) {
    const until = anywhere();
    const longMs = await page(call, setup, longAccount, until);
    const shortMs = await page(call, setup, shortAccount, until);
    if (turn < 0) continue;
    long.push(longMs);
    short.push(shortMs);
  }
  return { longMs: median(long), shortMs: median(short) };
}
