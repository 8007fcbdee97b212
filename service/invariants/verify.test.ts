import { randomBytes, randomUUID } from 'node:crypto';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { withOptions } from '@tenant-payments/engine/database/cell.ts';
import { openPool } from '@tenant-payments/engine/database/pool.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSchema } from '../../test/kit/database/database_url.ts';
import { openSampleLedger } from '../../test/kit/ledger/sample_ledger.ts';
import type { TestServer } from '../../test/kit/server.ts';
import { recordedResources } from './events/recorded.ts';
import { narrowColumns } from './records/ranges.ts';
import { checkedTables } from './scope.ts';
import { checks, inspectLedger, type Verification, verifyLedger } from './verify.ts';

let server: TestServer;
let pool: pg.Pool;
let tenantId: string;
let otherTenantId: string;

beforeAll(async () => {
  server = await openSampleLedger();
  pool = server.owner;
  tenantId = server.tenant.tenantId;
  const other = await server.anotherTenant();
  otherTenantId = other.tenantId;
  const body = {
    type: 'individual',
    external_ref: 'elsewhere',
    email: 'someone@example.com',
    mobile_number: '+12025550199',
  };
  await server.call('POST', '/v1/customers', { body, key: 'elsewhere', token: other.token });
});

afterAll(() => server.stop());

test('a correct ledger has no violation, and the checked rows are counted', async () => {
  const whole = await verifyLedger(pool);
  expect(whole).toMatchObject({ ok: true, violations: [] });
  const one = await verifyLedger(pool, { tenantId });
  expect(one).toMatchObject({ ok: true, violations: [] });
  expect(one.checked).toBeGreaterThan(100);
  expect(whole.checked).toBeGreaterThan(one.checked);
});

test('an empty ledger is correct', async () => {
  const unknown = await verifyLedger(pool, { tenantId: randomUUID() });
  expect(unknown).toEqual({ ok: true, checked: 0, violations: [] });
});

/** The violations after a change, which is rolled back. */
async function afterDeed(sql: string, ...scopes: { tenantId?: string }[]) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query(sql);
    const found: Verification[] = [];
    for (const scope of scopes) found.push(await inspectLedger(client, scope));
    return found;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('the verification of a tenant sees only its own ledger', async () => {
  const deed = `update payments set order_reference = 'by hand' where status = 'completed'`;
  const [own, other, whole] = await afterDeed(deed, { tenantId }, { tenantId: otherTenantId }, {});
  const names = new Set(own?.violations.map(({ invariant }) => invariant));
  expect(names).toEqual(new Set(['6.last_object']));
  expect(own?.violations.every((found) => found.tenant_id === tenantId)).toBe(true);
  expect(other).toMatchObject({ ok: true });
  expect(whole?.violations).toEqual(own?.violations);
});

test('over all Tenants a Transaction finds its payment by its id', async () => {
  const rows = recordedResources.find(({ resource }) => resource === 'transaction')?.parts[0]?.rows;
  const client = await pool.connect();
  try {
    // As where the tables are large, whatever they hold now.
    for (const other of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan'])
      await client.query(`set enable_${other} = off`);
    const plan = await client.query<{ 'QUERY PLAN': string }>(`explain select * from ${rows} r`);
    const lines = plan.rows.map((line) => line['QUERY PLAN']);
    const lookUp = lines.findIndex((line) => line.includes(' on payments p '));
    expect(lines[lookUp + 1]).toMatch(/Index Cond: \(\(tenant_id = .*\) AND \(id = /);
  } finally {
    client.release(true);
  }
});

test('an invariant reports at most two hundred violations', async () => {
  const [found] = await afterDeed(`update events set type = 'dispute.created'`, {});
  const bodies = found?.violations.filter(({ invariant }) => invariant === '6.body');
  expect(bodies).toHaveLength(200);
});

test('a role that may only read can verify the ledger', async () => {
  const role = `book_reader_${randomBytes(4).toString('hex')}`;
  await pool.query(`create role ${role}`);
  await pool.query(`grant usage on schema ${testSchema} to ${role};
    grant select on all tables in schema ${testSchema} to ${role}`);
  const url = withOptions(pool.options.connectionString ?? '', `-c role=${role}`);
  const readers = openPool(url, { max: 1, statementTimeoutMs: 5_000 });
  try {
    await expect(readers.query('delete from jobs')).rejects.toThrow('permission denied');
    expect((await verifyLedger(readers)).violations).toEqual([]);
  } finally {
    await readers.end();
    await pool.query(`drop owned by ${role}`);
    await pool.query(`drop role ${role}`);
  }
});

/** Not checked: the sandbox's chaos, the request log, and what earlier proofs found. */
const besidesTheLedger = [
  'chaos',
  'departures',
  'requests',
  'ledger_proofs',
  'logos',
  'own_bank_accounts',
  'rail_objects',
  'identity_records',
  'identity_fields',
  'identity_checks',
  'identity_documents',
  'identity_contents',
];

test('every table of a tenant can be limited to it', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and a.attname = 'tenant_id'`,
  );
  const tables = rows.map(({ name }) => name).filter((name) => !besidesTheLedger.includes(name));
  expect([...checkedTables].sort()).toEqual(tables.sort());
});

test('the range of every narrow column is checked', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_name = any($1) and table_schema = current_schema()
        and data_type in ('integer', 'smallint')`,
    [checkedTables],
  );
  const looked = Object.entries(narrowColumns).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  );
  expect(looked.sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('the history of every resource is replayed', () => {
  const replayed = recordedResources.map(({ resource }) => resource);
  expect(replayed.sort()).toEqual(Object.keys(lifecycles).sort());
});

test('every invariant has a unique name', () => {
  const names = checks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
