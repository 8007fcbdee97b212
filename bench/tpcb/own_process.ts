import pg from 'pg';
import { startWindow } from '../load/window.ts';
import { scale } from './reference.ts';

/** The order from the parent; the statements are those of pgbench's script, one row each. */
export interface OwnPlan {
  readonly url: string;
  readonly clients: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export type OwnMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'done'; readonly transactions: number; readonly seconds: number }
  | { readonly kind: 'failed'; readonly reason: string };

const accountsPerUnit = 100_000;
const tellersPerUnit = 10;

const random = (most: number): number => 1 + Math.floor(Math.random() * most);

/** pgbench's built-in `tpcb-like`, statement by statement, prepared. */
async function transact(client: pg.Client): Promise<void> {
  const aid = random(accountsPerUnit * scale);
  const tid = random(tellersPerUnit * scale);
  const bid = random(scale);
  const delta = random(10_000) - 5_000;
  const run = (name: string, text: string, values: number[]) =>
    client.query({ name, text, values });
  await client.query('begin');
  await run('a', 'update pgbench_accounts set abalance = abalance + $1 where aid = $2', [
    delta,
    aid,
  ]);
  await run('s', 'select abalance from pgbench_accounts where aid = $1', [aid]);
  await run('t', 'update pgbench_tellers set tbalance = tbalance + $1 where tid = $2', [
    delta,
    tid,
  ]);
  await run('b', 'update pgbench_branches set bbalance = bbalance + $1 where bid = $2', [
    delta,
    bid,
  ]);
  await run(
    'h',
    'insert into pgbench_history (tid, bid, aid, delta, mtime) values ($1, $2, $3, $4, now())',
    [tid, bid, aid, delta],
  );
  await client.query('commit');
}

const tell = (message: OwnMessage): void => {
  process.send?.(message);
};

async function run({ url, clients, warmUpSeconds, seconds }: OwnPlan): Promise<void> {
  const opened = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(url);
      await client.connect();
      return client;
    }),
  );
  const end = performance.now() + (warmUpSeconds + seconds) * 1000;
  const window = startWindow(warmUpSeconds, {
    onOpen: () => tell({ kind: 'opened' }),
    onClose: () => tell({ kind: 'closed' }),
  });
  await Promise.all(
    opened.map(async (client) => {
      while (performance.now() < end) {
        const sentAt = performance.now();
        await transact(client);
        window.answered(sentAt);
      }
      window.close();
    }),
  );
  await Promise.all(opened.map((client) => client.end()));
  const report = window.report();
  tell({ kind: 'done', transactions: report.answered, seconds: report.seconds });
}

process.on('message', (plan: OwnPlan) => {
  run(plan).catch((error: unknown) => tell({ kind: 'failed', reason: String(error) }));
});
process.on('disconnect', () => process.exit());
