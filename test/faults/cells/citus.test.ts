import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { openClient, openPool } from '../../../engine/database/pool.ts';
import { atNode, placementOf } from '../../../fleet/placement.ts';
import { openApi } from '../../kit/api.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { proveLedger } from '../../kit/ledger/prove_ledger.ts';
import { type Deployment, openDeployment, terminate } from '../../kit/processes/processes.ts';
import { runNode } from '../../kit/processes/run_node.ts';
import { choicesOf } from '../../kit/seed.ts';
import { type ProofContext, proofTest, type Verdict } from '../../prove/proof.ts';
import { openPayments } from './moving.ts';

/** The database of a coordinator with its nodes, by its owner's login and by the service's: `OWNER,SERVICE`. */
const [ownerUrl = '', serviceUrl = ''] = (process.env.CITUS_URLS ?? '').split(',');

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const names = ['cell_p', 'cell_q'];
/** Between two moves: pools renew their connections meanwhile. */
const paymentsBetween = 200;

const settings = {
  CELLS: 'citus',
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: serviceUrl,
  MIGRATION_DATABASE_URL: ownerUrl,
};

async function cli(words: readonly string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await runNode(['dist/cli.js', ...words, '--json'], {
    cwd: checkout,
    env,
  });
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Moves a cell to another node, which its tables are not written on meanwhile. @returns milliseconds */
async function moveCell(cell: string, pick: (others: number) => number): Promise<number> {
  const client = await openClient(ownerUrl);
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node
       where isactive and noderole = 'primary' and groupid <> 0 order by groupid`,
    );
    const at = (await placementOf(ownerUrl)).find((one) => one.cell === cell);
    const others = rows.filter(({ host, port }) => host !== at?.host || port !== at.port);
    const to = others[pick(others.length)];
    if (!to) throw new Error('the cluster has one node alone');
    const begunMs = performance.now();
    await client.query(`select citus_schema_move($1::regnamespace, $2, $3, 'block_writes')`, [
      cell,
      to.host,
      to.port,
    ]);
    return performance.now() - begunMs;
  } finally {
    await client.end();
  }
}

async function serverVersion(): Promise<string> {
  const client = await openClient(ownerUrl);
  try {
    const { rows } = await client.query<{ version: string }>(
      `select split_part(current_setting('server_version'), ' ', 1) || ' with Citus ' || extversion as version
       from pg_extension where extname = 'citus'`,
    );
    return rows[0]?.version ?? '?';
  } finally {
    await client.end();
  }
}

/** Proves a cell's ledger at the node that has it. */
async function proveCell(cell: string): Promise<void> {
  const node = (await placementOf(ownerUrl)).find((one) => one.cell === cell);
  if (!node) throw new Error(`${cell} is on no node`);
  const url = new URL(atNode(ownerUrl, node));
  url.searchParams.set('options', `-c search_path=${cell}`);
  const pool = openPool(url.href, { max: 1, statementTimeoutMs: 60_000 });
  await proveLedger(pool).finally(() => pool.end());
}

/** A Tenant in each cell that takes payments. */
async function openLoads(baseUrl: string, env: Record<string, string>) {
  const loads = [];
  for (const cell of names) {
    const naming = ['--name', 'Load', '--cell', cell, '--base-url', baseUrl];
    const made = await cli(['tenants', 'create', ...naming, '--rate-limit', '1000000'], env);
    const api = openApi(baseUrl, await fetchToken(baseUrl, made));
    loads.push({ cell, api, load: await openPayments(api) });
  }
  return loads;
}

async function proveOn(deployment: Deployment, context: ProofContext): Promise<Verdict> {
  const { seed, rounds, progress } = context;
  const violations: string[] = [];
  const longest = { moveMs: 0, waitMs: 0, waitElsewhereMs: 0 };
  const env = { ...settings, DATA_DIR: deployment.dataDir };
  await cli(['migrate'], env);
  for (const name of names) await cli(['cells', 'create', '--name', name], env);
  const server = await deployment.start('api,worker', env);
  const loads = await openLoads(server.baseUrl, env);
  for (let round = 0; round < rounds; round += 1) {
    const tookMs = await moveCell('cell_p', choicesOf(seed, `move ${round}`).below);
    longest.moveMs = Math.max(longest.moveMs, Math.round(tookMs));
    for (const { load } of loads) await load.more(paymentsBetween);
    progress(round + 1);
  }
  let payments = 0;
  for (const { cell, api, load } of loads) {
    const { payer, longestMs } = await load.end();
    longest[cell === 'cell_p' ? 'waitMs' : 'waitElsewhereMs'] = Math.round(longestMs);
    payments += load.completed.length;
    const { available } = await api.balance(payer);
    if (available !== 500_00 - load.completed.length)
      violations.push(`${cell}: ${available} after ${load.completed.length} payments`);
  }
  await terminate(server);
  for (const cell of names)
    await proveCell(cell).catch((error: Error) => violations.push(`${cell}: ${error.message}`));
  return { rounds, violations, figures: { payments, ...longest }, server: await serverVersion() };
}

/** On an empty database: its keys are made for it. */
async function proveMoves(context: ProofContext): Promise<Verdict> {
  const deployment = await openDeployment({ url: ownerUrl, serviceUrl, drop: async () => {} });
  return proveOn(deployment, context).finally(deployment.stop);
}

if (serviceUrl === '') test.skip('a cluster of Citus is named by `npm run prove -- --citus` alone');
else
  proofTest(
    'cells that Citus moves from node to node while they take payments lose nothing and go on there',
    3,
    proveMoves,
  );
