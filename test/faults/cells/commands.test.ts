import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../cli/run.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { urlOfCell } from '../../../fleet/cells.ts';
import { operations as cells } from '../../../scripts/operate/cells.ts';
import { type Deployment, openDeployment } from '../../../scripts/operate/deployment.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { MIGRATIONS } from '../../../service/db/migration_files.ts';
import { blankDatabase, type TestDatabase } from '../../kit/database/database.ts';
import { programs } from '../../kit/processes/built.ts';
import { settingsOf } from '../../kit/processes/settings.ts';
import { openServer } from '../../kit/server.ts';

/** The commands for the cells of a database, each in a process of its own. */
const server = await openServer({ workers: false });
let database: TestDatabase;

beforeAll(async () => {
  database = await blankDatabase();
});
afterAll(() => database.drop());

async function asOwner(sql: string): Promise<void> {
  const client = await openClient(database.url);
  await client.query(sql).finally(() => client.end());
}

const settings = () => ({
  ...settingsOf(server),
  DATABASE_URL: database.url,
  MIGRATION_DATABASE_URL: database.url,
  LOG_LEVEL: 'silent',
});

/** Runs work as the command line does, but in this process. */
async function inProcess<T>(work: (deployment: Deployment) => Promise<T>): Promise<T> {
  const deployment = openDeployment(settings());
  return work(deployment).finally(() => deployment.close());
}
const list = async () => (await inProcess(cells.list)).cells;

async function cli(name: string, ...flags: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(['cells', name, ...flags], {
    env: settings(),
    programs,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('a cell is made beside the others and listed, and says what keeps it from being served', async () => {
  expect(await list()).toEqual([]);
  const made = await cli('create', '--name', 'cell_b');
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toMatch(/^Made the cell cell_b: \d+ migrations\.$/m);
  expect(made.out).toMatch(/^ {2}CELLS=public,cell_b$/m);
  const address = /DATABASE_URL='(.+)'/.exec(made.out)?.[1] ?? '';
  expect([new URL(address).hash, new URL(address).password]).toEqual(['#cell_b', '']);
  await inProcess((one) => cells.create(one, { name: 'cell_c' }));

  expect(await list()).toEqual(
    ['cell_b', 'cell_c'].map((name) => ({
      name,
      tenants: 0,
      waiting: [],
      is_own: false,
      is_remote: false,
      bytes: expect.any(Number),
    })),
  );
  expect((await cli('list')).out).toMatch(
    /^Cells: 2\.\n {2}cell_b {2}0 tenants {2}\d+\.\d MB {2}up to date\n/,
  );
  expect(await inProcess(cells.check)).toMatchObject({ ok: true });

  await asOwner('revoke usage on schema cell_c from tenant_payments_service');
  await asOwner(
    `insert into cell_b.database_identity (name, key_id, value) values ('ENVIRONMENT', '', 'production')`,
  );
  const { code, out } = await cli('check');
  expect(code).toBe(1);
  expect(out).toMatch(/^cell_b: ENVIRONMENT is sandbox, but the database is one of production\.$/m);
  const remedy = /^cell_c: .* Run as the owner of the database: (.+;)$/m.exec(out)?.[1] ?? '';
  await asOwner(remedy);
  expect((await inProcess(cells.check)).cells[1]).toEqual({ name: 'cell_c', faults: [] });
});

test('a cell of an earlier release is brought up to date with all others', async () => {
  const earlier = await mkdtemp(join(tmpdir(), 'tpay-migrations-'));
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort();
  const newest = files.pop()?.replace('.sql', '') ?? '';
  for (const file of files) await copyFile(join(MIGRATIONS, file), join(earlier, file));
  await migrate(urlOfCell(database.url, 'cell_d'), { folder: earlier });
  await rm(earlier, { recursive: true });

  expect((await list()).map(({ waiting }) => waiting)).toEqual([[], [], [newest]]);
  expect((await inProcess(cells.check)).cells[2]?.faults).toContain(`Migrations wait: ${newest}.`);
  expect((await inProcess(cells.migrate)).cells.map(({ applied }) => applied)).toEqual([
    [],
    [],
    [newest],
  ]);
  expect((await list()).map(({ waiting }) => waiting)).toEqual([[], [], []]);
});

test.each(['Cell', 'control', 'pg_cell', '1b', 'cell_b'])(
  'a cell %s cannot be made, and nothing is',
  async (name) => {
    const before = await list();
    await expect(inProcess((one) => cells.create(one, { name }))).rejects.toMatchObject({
      code: 'parameter_invalid',
      param: 'name',
    });
    expect(await list()).toEqual(before);
  },
);
