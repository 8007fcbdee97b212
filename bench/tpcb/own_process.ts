import type pg from 'pg';
import { obeyLoop } from '../load/database_loop.ts';
import { scale } from './reference.ts';

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

obeyLoop(transact);
