import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { portalEndpoints } from '../../backoffice/contract/catalog.ts';
import { openClient } from '../../engine/database/pool.ts';
import { portalPerson } from '../kit/people.ts';
import { openServer } from '../kit/server.ts';
import { playTenant } from '../tenants/records.ts';

/**
 * The effect of the first migrations of a release to the processes of the release before, which go on
 * (rules/engine#39).
 */

const lines: string[] = [];
const server = await openServer({ own: true, alone: true, onLog: (line) => lines.push(line) });
const { service, tenant, databaseUrl, controlUrl } = server;

const tablesSql = `select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in (current_schema(), 'control') and c.relkind in ('r', 'p')`;

/** Tables are changed one after the other, while calls go on. */
const pauseMs = 20;

/** Adds a column to every table. @returns how many tables there are */
async function widen(): Promise<number> {
  let count = 0;
  for (const url of new Set([databaseUrl, ...(controlUrl ? [controlUrl] : [])])) {
    const owner = await openClient(url);
    const { rows } = await owner.query<{ name: string }>(tablesSql);
    for (const { name } of rows) {
      await owner.query(`alter table ${name} add column zz integer`);
      await sleep(pauseMs);
    }
    count += rows.length;
    await owner.end();
  }
  return count;
}

/** Every list and record that the portal reads without naming one. */
async function readAll(): Promise<void> {
  const statuses: number[] = [];
  const person = await portalPerson(server, 'platform', ['admin', 'support', 'reviewer']);
  for (const { method, path } of Object.values(portalEndpoints)) {
    if (method !== 'GET' || path.includes('{') || path.includes('stream')) continue;
    const { status } = await person.ask('GET', path.replace('/portal/api', ''));
    expect([path, status < 500]).toEqual([path, true]);
    statuses.push(status);
  }
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20);
}

/** The played facts tell of orders that nobody gave, and the played statement differs: alarms, and no faults. */
const isPlayed = (line: string) => /"alarm":"(unknown|bank_difference)"/.test(line);
const faults = () =>
  lines.filter((line) => /"fault"|"alarm":"command"|"level":[56]0/.test(line) && !isPlayed(line));

test('a process to whose tables a column each is added while it serves goes on without a fault', async () => {
  await playTenant(server, tenant);
  await readAll();
  await service.requestLog.flush();
  lines.length = 0;
  const other = await server.anotherTenant({ rateLimit: 1_000_000 });
  const [tables] = await Promise.all([widen(), playTenant(server, other)]);
  expect(tables).toBeGreaterThan(80);
  // The statements that the first one prepared have met each table again.
  await playTenant(server, await server.anotherTenant({ rateLimit: 1_000_000 }));
  await readAll();
  await service.requestLog.flush();
  const { rows } = await server.owner.query(
    'select method, path, status from requests where status >= 500',
  );
  expect(rows).toEqual([]);
  expect(faults()).toEqual([]);
});
