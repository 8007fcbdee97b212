import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openClient } from '../../engine/database/pool.ts';
import type { AnyJsonColumn } from '../../engine/stored_json.ts';
import { verifyLedger } from '../../service/invariants/verify.ts';
import { jsonColumns } from '../../start/json_columns.ts';
import { type Api, openApi } from '../kit/api.ts';
import { blankDatabase } from '../kit/database/database.ts';
import { fetchToken } from '../kit/http/http.ts';
import type { Person } from '../kit/person.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';
import { keptReleases, type Release, readRelease, upgradeFrom } from './release_file.ts';
import { releaseKeys } from './release_keys.ts';

/** Data stored by an earlier release is read, and gone on with, by this one (rules/engine#35). */

const releases = await keptReleases();

/** The service of this release on the database of an earlier one, at the time at which that was kept. */
async function openUpgraded(release: Release): Promise<TestServer> {
  const database = await blankDatabase();
  afterAll(() => database.drop());
  await upgradeFrom(database.url, release);
  const aheadMs = Date.parse(release.at) - Date.now();
  const server = await startTestServer({
    database,
    secrets: releaseKeys,
    workers: false,
    realNow: () => Date.now() + aheadMs,
  });
  afterAll(() => server.stop());
  return server;
}

/** A column's name in two parts, the schema with the table. */
const partsOf = ({ name }: AnyJsonColumn) => {
  const at = name.lastIndexOf('.');
  return { table: name.slice(0, at), column: name.slice(at + 1) };
};

interface Value {
  readonly tenant_id: string | null;
  readonly value: unknown;
  /** The name in a Tenant's row. */
  readonly name: string;
}

/** Every value of a column. */
async function valuesOf(client: pg.Client, one: AnyJsonColumn): Promise<Value[]> {
  const { table, column } = partsOf(one);
  const { rows } = await client.query<Value>(
    `select to_jsonb(t) ->> 'tenant_id' as tenant_id, to_jsonb(t) ->> 'name' as name,
      ${column}::jsonb as value from ${table} t where ${column} is not null`,
  );
  return rows;
}

/** The columns of text, of tables that have rows, in which JSON stands. */
async function textsOfJson(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select case n.nspname when 'control' then 'control.' else '' end || c.relname as table,
        a.attname as column
      from pg_attribute a join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in (current_schema(), 'control') and c.relkind = 'r' and a.attnum > 0
        and a.atttypid = 'text'::regtype and not a.attisdropped order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column } of rows) {
    const { rows: like } = await client.query<{ text: string }>(
      `select ${column} as text from ${table} where ${column} ~ '^[{\\[]' limit 20`,
    );
    if (like.some(({ text }) => isJson(text))) found.push(`${table}.${column}`);
  }
  return found;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts that were sent, answered or received: each is shown again as it was, and nothing is decided by it. */
const asItWas = [
  'attempts.request_headers',
  'idempotency.body',
  'requests.request_body',
  'requests.response_body',
];

/** A payment of the release that can be refunded, with both sides. */
async function completedPayment(server: TestServer, tenantId: string) {
  const { rows } = await server.owner.query<{ id: string; payer: string; payee: string }>(
    `select 'pay_' || replace(p.id::text, '-', '') as id,
        'cus_' || replace(p.payer_customer_id::text, '-', '') as payer,
        'cus_' || replace(p.payee_customer_id::text, '-', '') as payee
      from payments p
        join accounts a on a.tenant_id = p.tenant_id and a.id = p.payer_account_id
        join balances b on b.tenant_id = p.tenant_id and b.account_id = p.payee_account_id
      where p.tenant_id = $1 and p.status = 'completed' and p.source = 'balance'
        and a.status = 'active' and p.dispute_id is null and b.available > 100
      order by p.id limit 1`,
    [tenantId],
  );
  const [row] = rows;
  if (!row) throw new Error('the release has a payment that can be refunded');
  return row;
}

const personIn = async (api: Api, customerId: string): Promise<Person> => {
  const { type, account_id } = await api.get(`/v1/customers/${customerId}`);
  return { type, customerId, accountId: account_id, linkedAccountId: null };
};

/** Money in, on, back and out again, of people whom the release has made. */
async function goOn(server: TestServer, api: Api, tenantId: string): Promise<string[]> {
  const { id, payer, payee } = await completedPayment(server, tenantId);
  const [ana, shop] = [await personIn(api, payer), await personIn(api, payee)];
  const made = [
    ['refund-requests', await api.confirmed(api.refund({ id }, 1_00))],
    ['loads', await api.played(api.load(ana, 20_00), 'session.completed', 'load.settled')],
    ['payments', await api.confirmed(api.pay(ana, shop, 5_00))],
    [
      'withdrawals',
      await api.played(api.withdraw(ana, 2_00), 'session.completed', 'withdrawal.settled'),
    ],
    ['payments', await api.confirmed(api.payRequest(ana, await api.request(shop, 3_00)))],
  ] as const;
  const statuses: string[] = [];
  for (const [path, record] of made)
    statuses.push((await api.get(`/v1/${path}/${record.id}`)).status);
  return statuses;
}

describe.each(releases)('release %s', async (name) => {
  const release = await readRelease(name);
  const had = new Set(
    release.tables.flatMap(({ table, columns }) =>
      columns.split(', ').map((column) => `${table}.${column}`),
    ),
  );
  const server = await openUpgraded(release);
  const client = await openClient(server.databaseUrl);
  afterAll(() => client.end());
  const [tenant] = (
    await client.query<{ tenant_id: string }>(
      'select tenant_id from clients where client_id = $1',
      [release.client_id],
    )
  ).rows;
  const tenantId = tenant?.tenant_id ?? '';
  const api = openApi(server.baseUrl, await fetchToken(server.baseUrl, release));

  test.each(
    jsonColumns.filter((column) => had.has(column.name)).map((one) => [one.name, one] as const),
  )('every value in %s is one that this release reads', async (_, one) => {
    const values = await valuesOf(client, one);
    expect(values.length).toBeGreaterThan(0);
    for (const { tenant_id, name, value } of values) {
      const defaults = one.name === 'tenants.settings' ? defaultSettings(name) : undefined;
      expect(() => one.read(tenant_id, value, defaults)).not.toThrow();
    }
  });

  test('JSON stands in no column of text but those that are listed', async () => {
    const listed = jsonColumns.filter(({ type }) => type === 'text').map(({ name }) => name);
    const found = await textsOfJson(client);
    expect(found.filter((one) => ![...listed, ...asItWas].includes(one))).toEqual([]);
    // Those that came later are empty in what the release has kept.
    expect(found.length).toBeGreaterThan(asItWas.length);
  });

  test('its Tenant loads, pays, refunds and withdraws, also without settings that came later', async () => {
    const done = ['completed', 'settled', 'completed', 'settled', 'completed'];
    expect(await goOn(server, api, tenantId)).toEqual(done);
    // As if the release had not known them.
    await client.query(
      `update tenants set settings = settings - 'refund_window_days' - 'sandbox_mode'
        #- '{flows,payments_balance}' #- '{limits,payment_daily,individual}' where tenant_id = $1`,
      [tenantId],
    );
    expect(await goOn(server, api, tenantId)).toEqual(done);
    await server.runJobs(tenantId);
  });

  test('its ledgers hold all invariants, with what this release has added', async () => {
    const { ok, checked, violations } = await verifyLedger(server.service.pool);
    expect(violations).toEqual([]);
    expect(ok).toBe(true);
    expect(checked).toBeGreaterThan(500);
  });
});
