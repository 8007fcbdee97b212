import { type ServiceDatabase, urlOf } from '../../service/db/embedded_running.ts';
import { openDatabase } from '../database.ts';
import { runLoopProcess } from '../load/database_loop.ts';
import {
  type Reference,
  type ReferencePlan,
  type ReferenceReport,
  referenceDatabase,
  scale,
} from './reference.ts';

/** pgbench's own tables and numbers of rows; the filler gives a row the same width. */
const tables = `
  create table pgbench_branches (bid int not null, bbalance int, filler char(88)) with (fillfactor = 100);
  create table pgbench_tellers (tid int not null, bid int, tbalance int, filler char(84)) with (fillfactor = 100);
  create table pgbench_accounts (aid int not null, bid int, abalance int, filler char(84)) with (fillfactor = 100);
  create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
  insert into pgbench_branches (bid, bbalance) select n, 0 from generate_series(1, ${scale}) n;
  insert into pgbench_tellers (tid, bid, tbalance) select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${scale} * 10) n;
  insert into pgbench_accounts (aid, bid, abalance, filler) select n, (n - 1) / 100000 + 1, 0, '' from generate_series(1, ${scale} * 100000) n;
  alter table pgbench_branches add primary key (bid);
  alter table pgbench_tellers add primary key (tid);
  alter table pgbench_accounts add primary key (aid);
`;

async function fill(database: ServiceDatabase): Promise<void> {
  const client = await openDatabase(database, referenceDatabase);
  await client.query(tables);
  await client.query('vacuum analyze');
  await client.end();
}

function run(plan: ReferencePlan): Promise<ReferenceReport> {
  const { database, clients, warmUpSeconds, seconds, window, onStart } = plan;
  const loop = { url: urlOf(database, referenceDatabase), clients, warmUpSeconds, seconds };
  return runLoopProcess(new URL('./own_process.ts', import.meta.url), loop, window, onStart);
}

/** For a machine without pgbench: its script over `pg`, slower because of Node. */
export async function openOwnDriver(database: ServiceDatabase): Promise<Reference> {
  await fill(database);
  return { name: 'own TPC-B-like driver over pg', isPgbench: false, run };
}
