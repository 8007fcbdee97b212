import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inSchema } from '../../../engine/database/cell.ts';
import { openPool } from '../../../engine/database/pool.ts';
import { openApi } from '../../kit/api.ts';
import { blankDatabase } from '../../kit/database/database.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { proveLedger } from '../../kit/ledger/prove_ledger.ts';
import { openDeployment, terminate } from '../../kit/processes/processes.ts';
import { runNode } from '../../kit/processes/run_node.ts';
import { until } from '../../kit/wait.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** Real processes, which name the cells of one database in `CELLS`. */
const cells = { CELLS: 'public,cell_b' };

test('a process serves two cells at one address, moves a Tenant between them, and workers may serve one alone', async () => {
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

test('a process serves a remote cell, which it makes at its start, another works for that cell alone, and the commands reach it', async () => {
  const [database, remote] = [await blankDatabase(), await blankDatabase()];
  const deployment = await openDeployment(database);
  const env = {
    ...cells,
    MIGRATION_DATABASE_URL: database.url,
    DATABASE_URL_CELL_B: remote.serviceUrl,
    MIGRATION_DATABASE_URL_CELL_B: remote.url,
  };
  const ofCell = openPool(inSchema(remote.url, 'cell_b'), { max: 1, statementTimeoutMs: 10_000 });
  try {
    const server = await deployment.start('api,worker:public', env);
    const worker = await deployment.start('worker:cell_b', env);
    const { dataDir } = deployment;
    const settings = { ...env, DATABASE_URL: database.serviceUrl, ENVIRONMENT: 'sandbox' };
    const command = async (words: readonly string[], more = {}) => {
      const ran = await runNode(['dist/cli.js', ...words, '--json'], {
        cwd: checkout,
        env: { ...settings, DATA_DIR: dataDir, PUBLIC_URL: server.baseUrl, ...more },
      });
      expect(ran, words.join(' ')).toMatchObject({ code: 0 });
      return JSON.parse(ran.stdout);
    };
    const naming = ['--name', 'Far', '--cell', 'cell_b', '--base-url', server.baseUrl];
    const made = await command(['tenants', 'create', ...naming]);
    const api = openApi(server.baseUrl, await fetchToken(server.baseUrl, made));
    const payer = await api.funded('individual', 10_00);
    await api.confirmed(await api.pay(payer, await api.banked('business'), 1_00));
    const paid = await ofCell.query('select count(*)::integer as payments from payments');
    expect(paid.rows).toEqual([{ payments: 1 }]);

    const listed = await command(['cells', 'list']);
    const asListed = (name: string, is_remote: boolean) =>
      expect.objectContaining({ name, is_remote, is_own: true, waiting: [] });
    expect(listed.cells).toEqual([asListed('public', false), asListed('cell_b', true)]);
    expect(await command(['cells', 'check'])).toMatchObject({ ok: true });
    expect(await command(['cells', 'migrate'])).toEqual({
      cells: [
        { name: 'public', applied: [] },
        { name: 'cell_b', applied: [] },
      ],
    });
    for (const to of ['public', 'cell_b']) {
      const moved = await command(['tenants', 'move', made.tenant_id, '--to', to]);
      expect(moved, to).toMatchObject({ to, ledger: { ok: true, violations: [] } });
      await api.applied('individual');
    }
    const suspended = await command(['tenants', 'suspend', made.tenant_id, '--reason', 'test'], {
      CELLS: 'cell_b',
    });
    expect(suspended.suspended_at).not.toBeNull();
    expect(await command(['audit', 'verify'])).toMatchObject({ ok: true });
    for (const one of [server, worker]) expect(await terminate(one)).toBe(0);
    await proveLedger(ofCell);
  } finally {
    await ofCell.end();
    await deployment.stop();
    await remote.drop();
  }
});
