import { expect, test } from 'vitest';
import { atNode, openPlacement, throughCoordinator, withPlacement } from './placement.ts';

const coordinator = 'postgresql://pay:s%40crt@coordinator:5432/pay?sslmode=verify-full';
const node = { host: 'node-2', port: 5433 };

test('a node is reached by the login and parameters of the coordinator', () => {
  expect(atNode(coordinator, node)).toBe(
    'postgresql://pay:s%40crt@node-2:5433/pay?sslmode=verify-full',
  );
  expect(atNode('postgresql://pay@localhost/pay?host=/run/postgresql&port=5433', node)).toBe(
    'postgresql://pay@node-2:5433/pay',
  );
});

test('a cell is made by way of the coordinator as a distributed schema', () => {
  const { searchParams } = new URL(throughCoordinator(coordinator, 'cell_b'));
  expect(searchParams.get('options')).toBe(
    '-c citus.enable_schema_based_sharding=on -c search_path=cell_b',
  );
});

test('settings that do not name Citus are as they were, and nobody is asked', async () => {
  const settings = {
    cells: ['public'],
    isOnCitus: false,
    remoteCells: new Map(),
    migrationDatabaseUrl: null,
  };
  expect(await withPlacement(settings, 'postgresql://nowhere')).toBe(settings);
});

test('the address of a cell follows what the coordinator last said', async () => {
  let port = 5433;
  const query = async () => ({ rows: [{ cell: 'cell_b', host: 'node-2', port, isHome: false }] });
  const placement = openPlacement(() => ({ query }) as never, { error: () => {} });
  const address = placement.addressOf('cell_b', coordinator);
  const other = placement.addressOf('cell_c', coordinator);
  expect(address()).toBe(coordinator);
  placement.start();
  await expect.poll(address).toContain('@node-2:5433/');
  port = 5434;
  await expect.poll(address, { timeout: 5_000 }).toContain('@node-2:5434/');
  expect(other()).toBe(coordinator);
  await placement.stop();
});
