import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inSchema } from '../../../service/db/cell.ts';
import { openPool } from '../../../service/db/pool.ts';
import { openApi } from '../../kit/api.ts';
import { blankDatabase } from '../../kit/database/database.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { proveLedger } from '../../kit/ledger/prove_ledger.ts';
import { buildIfStale } from '../../kit/processes/built.ts';
import { openDeployment, terminate } from '../../kit/processes/processes.ts';
import { runNode } from '../../kit/processes/run_node.ts';
import { until } from '../../kit/wait.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** Real processes, which name the cells of one database in `CELLS`. */
const cells = { CELLS: 'public,cell_b' };

test('a process serves two cells at one address, moves a Tenant between them, and workers may serve one alone', async () => {
  await buildIfStale();
  const database = await blankDatabase();
  const MIGRATION_DATABASE_URL = database.url;
  const deployment = await openDeployment(database);
  const { pool, dataDir } = deployment;
  try {
    const env = { ...cells, MIGRATION_DATABASE_URL };
    const server = await deployment.start('api,worker:public', env);
    const sample = await deployment.facts();
    const naming = ['--name', 'Second', '--cell', 'cell_b', '--base-url', server.baseUrl];
    const made = await runNode(['dist/cli.js', 'tenants', 'create', ...naming, '--json'], {
      cwd: checkout,
      env: { DATA_DIR: dataDir },
    });
    for (const client of [sample, JSON.parse(made.stdout)]) {
      const api = openApi(server.baseUrl, await fetchToken(server.baseUrl, client));
      await api.applied('individual');
    }
    const { rows } = await pool.query(
      'select (select count(*) from cell_b.customers)::integer as there',
    );
    expect(rows).toEqual([{ there: 1 }]);

    const DATABASE_URL = database.serviceUrl;
    const owner = { ...env, DATABASE_URL, ENVIRONMENT: 'sandbox', DATA_DIR: dataDir };
    const tenants = await pool.query<{ id: string }>('select tenant_id::text as id from tenants');
    const id = tenants.rows[0]?.id ?? '';
    const moving = (to: string) =>
      runNode(['dist/cli.js', 'tenants', 'move', id, '--to', to], { cwd: checkout, env: owner });
    const token = await fetchToken(server.baseUrl, sample);
    const moved = await moving('cell_b');
    expect([moved.code, moved.stderr]).toEqual([0, expect.stringContaining('Stopping the tenant')]);
    expect(moved.stdout).toMatch(/^Moved the tenant .* from public to cell_b: \d+ rows, /);
    expect(moved.stdout).toMatch(/^Its ledger is correct there: \d+ rows checked\.$/m);
    await openApi(server.baseUrl, token).applied('individual');
    const elsewhere = await moving('cell_c');
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('cell_c')]);

    const series = await server.metrics();
    expect(series.get('processes_live{role="worker",cell="public"}')).toBe(1);
    expect(series.get('processes_live{role="worker",cell="cell_b"}')).toBe(0);
    const worker = await deployment.start('worker:cell_b', env);
    const live = async () =>
      (await server.metrics()).get('processes_live{role="worker",cell="cell_b"}');
    await until(async () => (await live()) === 1, { what: 'the worker of cell_b' });
    expect([...(await worker.metrics()).keys()].filter((name) => name.includes('public'))).toEqual(
      [],
    );
    expect(await terminate(worker)).toBe(0);
    expect(await terminate(server)).toBe(0);
    const again = await deployment.start('api', env);
    const { client_id } = await deployment.facts();
    expect(client_id, 'the sample Tenant, where it is now').toBe(sample.client_id);
    expect(await terminate(again)).toBe(0);
    const ofCell = openPool(inSchema(database.url, 'cell_b'), {
      max: 1,
      statementTimeoutMs: 10_000,
    });
    await proveLedger(ofCell).finally(() => ofCell.end());
  } finally {
    await deployment.stop();
  }
});
