import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../fleet/cells.ts';
import { startEmbedded } from '../../service/db/embedded.ts';
import { replaceHome } from '../../service/db/embedded_backup.ts';
import { findHome } from '../../service/db/embedded_place.ts';
import { migrate } from '../../service/db/migrate.ts';
import { temporaryDataDir } from '../../test/kit/database/database_server.ts';
import { operations as backup } from './backup.ts';
import { type Deployment, openDeployment } from './deployment.ts';

let [dataDir, copies] = ['', ''];
beforeAll(async () => {
  [dataDir, copies] = [await temporaryDataDir(), await temporaryDataDir()];
});
afterAll(async () => {
  for (const folder of [dataDir, copies]) await rm(folder, { recursive: true, force: true });
});

async function inProcess<T>(work: (deployment: Deployment) => Promise<T>): Promise<T> {
  const deployment = openDeployment({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  return work(deployment).finally(() => deployment.close());
}

/** Work on the database that a start would find. */
async function started<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, forTests: true });
  return work(server.url).finally(() => server.stop());
}
const ask = (sql: string) =>
  started((url) => withClient(url, async (client) => (await client.query(sql)).rows));
const openRestores = 'select restored_to from control.restores where ended_at is null';
const folders = async () => (await readdir(dataDir)).filter((name) => !name.endsWith('.json'));

test('a restored database is held before it stands in its place, and one that cannot be leaves the old one', async () => {
  const copy = join(copies, 'whole');
  await started(async (url) => {
    await migrate(url);
    await inProcess((one) => backup.create(one, { to: copy }));
    await withClient(url, (client) => client.query('create table later ()'));
  });
  const broken = join(copies, 'broken');
  await cp(copy, broken, { recursive: true });
  await rm(join(broken, 'cluster', 'PG_VERSION'));
  const before = await folders();
  await expect(inProcess((one) => backup.restore(one, { from: broken }))).rejects.toThrow();
  expect(await folders()).toEqual(before);
  expect(await ask(openRestores)).toEqual([]);
  expect(await ask('select from later')).toEqual([]);

  const { restored_to, kept } = await inProcess((one) => backup.restore(one, { from: copy }));
  expect(kept).toMatch(/postgres\.before-/);
  expect(await ask(openRestores)).toEqual([{ restored_to }]);
  await expect(ask('select from later')).rejects.toThrow('does not exist');
});

test('a restore that is ended half way leaves no place to an empty database, and can be run again', async () => {
  const [home, copy] = [join(copies, 'home'), join(copies, 'copy')];
  await mkdir(join(home, 'postgres', 'cluster'), { recursive: true });
  await mkdir(join(copy, 'cluster'), { recursive: true });
  const ended = replaceHome(home, copy, '2026-01-01T00:00:00Z', async (beside) => {
    // The old one is in its place until the copy is ready.
    expect(await readdir(join(home, 'postgres'))).toEqual(['cluster']);
    // kill -9 between the two renames.
    await cp(beside, join(home, 'restoring-1-1-left'), { recursive: true });
    await rm(join(home, 'postgres'), { recursive: true });
    throw new Error('killed');
  });
  await expect(ended).rejects.toThrow('killed');
  await expect(findHome(home)).rejects.toThrow('run backup restore again');
  expect(await replaceHome(home, copy, '2026-01-02T00:00:00Z', async () => {})).toBe(null);
  expect(await readdir(home)).toEqual(['postgres']);
});
