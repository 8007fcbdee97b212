import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOptions } from '../../../engine/database/cell.ts';
import { proveSessions } from '../../../engine/database/session.ts';
import { blankDatabase, type TestDatabase } from '../../kit/database/database.ts';
import { dropOptions, shareSession } from './pools.ts';
import type { TcpProxy } from './tcp_proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await blankDatabase();
});
afterAll(() => database.drop());

/** The refusal of a start on a database behind a pool; null: there is none. */
async function faultBehind(pool: Promise<TcpProxy>, options?: string): Promise<string | null> {
  const { url, close } = await pool;
  try {
    await proveSessions(options === undefined ? url : withOptions(url, options));
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await close();
  }
}
const remedy = 'connect to PostgreSQL itself, or to a pool as docs/guide/operating/pools.md says';

test("sessions of the database itself are the service's own", async () => {
  await proveSessions(database.url);
});

test('a pool that hands its sessions out by the transaction is refused in one line', async () => {
  expect(await faultBehind(shareSession(database.url))).toBe(
    `a pool hands its sessions out by the transaction; ${remedy}`,
  );
});

test('a pool that drops the settings of a session is refused in one line, unless the database has the same', async () => {
  expect(await faultBehind(dropOptions(database.url), '-c search_path=cell_b')).toBe(
    `its sessions have search_path = "$user", public instead of cell_b, since a pool drops the startup parameter options; ${remedy}`,
  );
  expect(await faultBehind(dropOptions(database.url))).toBeNull();
});
