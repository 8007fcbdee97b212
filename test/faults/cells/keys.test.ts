import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDeployment } from '../../../scripts/operate/deployment.ts';
import { operations as keys } from '../../../scripts/operate/keys.ts';
import { openCells } from '../../kit/cells.ts';
import { settingsOf } from '../../kit/processes/settings.ts';

/** A rotation of the keys of a deployment of several cells, one of them on another server. */
const cells = await openCells(['public', 'cell_b', 'cell_c'], {
  remote: ['cell_c'],
  server: { workers: false },
});
const ofCell = settingsOf(cells.cells[0]);

/** Runs a command of a deployment whose ring has a newer key in front. */
async function rotated<T>(work: (deployment: Parameters<typeof keys.status>[0]) => Promise<T>) {
  const deployment = openDeployment({
    ...ofCell,
    CELLS: 'public,cell_b,cell_c',
    DATABASE_URL: cells.ownerUrl,
    MIGRATION_DATABASE_URL: cells.ownerUrl,
    DATABASE_URL_CELL_C: cells.owners.remote.get('cell_c') ?? '',
    SEALING_KEY: `newer:${newer},${ofCell.SEALING_KEY}`,
    LOG_LEVEL: 'silent',
  });
  return work(deployment).finally(() => deployment.close());
}
const newer = randomBytes(32).toString('base64');

test('no key may be dropped that a cell still needs, and keys reseal begins in every cell', async () => {
  for (const { tenant } of cells.cells.slice(1)) await cells.apiOf(tenant).banked('individual');
  const sealing = async () => (await rotated(keys.status)).rings[0];
  const [, older] = (await sealing())?.keys ?? [];
  expect(older).toMatchObject({ may_be_dropped: false });
  // In each cell the numbers of a bank account, beside the keys of indexes.
  expect(older?.values).toBeGreaterThan(4);

  expect(await rotated(keys.reseal)).toEqual({ tenants: cells.cells.length });
  expect(await rotated(keys.status)).toMatchObject({
    reseal: { tenants_waiting: cells.cells.length },
    rings: expect.arrayContaining([
      expect.objectContaining({
        name: 'SEALING_KEY',
        keys: [expect.anything(), expect.objectContaining({ may_be_dropped: false })],
      }),
    ]),
  });
  for (const cell of ['public', 'cell_b', 'cell_c'])
    expect(
      await cells.asOwner(
        `select split_part(sealed, '.', 2) as key from ${cell}.service_keys`,
        cell,
      ),
    ).toEqual([{ key: 'newer' }]);
});
