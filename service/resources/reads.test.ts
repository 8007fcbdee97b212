import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { type AnyTable, readColumns } from '@tenant-payments/engine/table.ts';
import { Kysely, type KyselyPlugin, PostgresDialect, type RawNode, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { openSampleLedger } from '../../test/kit/ledger/sample_ledger.ts';
import type { TestServer } from '../../test/kit/server.ts';
import type { ReadContext } from '../read_context.ts';
import { listCustomers } from './customers/read.ts';
import { customers } from './customers/table.ts';
import { listDisputes } from './disputes/read.ts';
import { disputes } from './disputes/table.ts';
import type { ListQuery } from './found_page.ts';
import { listAllLinkedAccounts } from './linked_accounts/read.ts';
import { linkedAccounts } from './linked_accounts/table.ts';
import { listLoads } from './loads/read.ts';
import { loads } from './loads/table.ts';
import { listPaymentRequests } from './payment_requests/read.ts';
import { paymentRequests } from './payment_requests/table.ts';
import { listPayments } from './payments/read.ts';
import { payments } from './payments/table.ts';
import { listRefunds } from './refunds/read.ts';
import { refunds } from './refunds/table.ts';
import { listWithdrawals } from './withdrawals/read.ts';
import { withdrawals } from './withdrawals/table.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openSampleLedger();
});
afterAll(() => server.stop());

const ofPortal = async (path: string): Promise<ReplyBody[]> =>
  (await server.api.get(`/portal/api/${path}?limit=100`)).data;
const listed = async (path: string, query: Readonly<Record<string, string>> = {}) =>
  (await server.api.get(`${path}?${new URLSearchParams({ limit: '100', ...query })}`))
    .data as ReplyBody[];
const idsOf = (rows: readonly ReplyBody[]) => rows.map(({ id }) => id);

async function strangerGets(path: string): Promise<number> {
  const { token } = await server.anotherTenant();
  return (await server.call('GET', path, { token })).status;
}

describe('a record is read by its id', () => {
  const own = ['accounts', 'sessions', 'linked-accounts'] as const;
  test.each(own)('%s, in each state, as their list shows it', async (path) => {
    const rows = await ofPortal(path);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(await server.api.get(`/v1/${path}/${row.id}`)).toEqual(row);
    expect(await strangerGets(`/v1/${path}/${rows[0]?.id}`)).toBe(404);
  });

  test('disputes and events, as their list shows them', async () => {
    for (const path of ['/v1/disputes', '/v1/webhook-events']) {
      const rows = await listed(path);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(await server.api.get(`${path}/${row.id}`)).toEqual(row);
      expect(await strangerGets(`${path}/${rows[0]?.id}`)).toBe(404);
    }
  });

  test('every transaction of every account, pending, posted and reversed, as its account lists it', async () => {
    const accounts = await ofPortal('accounts');
    const seen = new Set<string>();
    for (const { id } of accounts)
      for (const row of await listed(`/v1/accounts/${id}/transactions`)) {
        expect(await server.api.get(`/v1/transactions/${row.id}`)).toEqual(row);
        seen.add(row.status).add(row.type);
      }
    expect([...seen]).toEqual(
      expect.arrayContaining(['pending', 'posted', 'reversed', 'withdrawal', 'payment_received']),
    );
    const [{ id } = { id: '' }] = await listed(`/v1/accounts/${accounts[0]?.id}/transactions`);
    expect(await strangerGets(`/v1/transactions/${id}`)).toBe(404);
    expect((await server.call('GET', '/v1/transactions/txn_x')).status).toBe(404);
  });

  test('statements, with a fresh address that opens', async () => {
    const rows = await ofPortal('statements');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const found = await server.api.get(`/v1/statements/${row.id}`);
      const { download_url, download_url_expires_at: _, ...same } = found;
      expect(row).toMatchObject(same);
      expect((await fetch(download_url)).status).toBe(200);
    }
    expect(await strangerGets(`/v1/statements/${rows[0]?.id}`)).toBe(404);
  });

  test('an event of more than 30 days ago is gone, as from its list', async () => {
    const { engine, api } = await alone();
    const [event] = (await api.get('/v1/webhook-events?limit=1')).data;
    await engine.moveClock(31 * 86_400);
    expect((await api.call('GET', `/v1/webhook-events/${event.id}`)).status).toBe(404);
  });
});

/** Another Tenant with a customer. */
async function alone() {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  await api.customer('individual');
  const moveClock = (seconds: number) => api.advance(seconds);
  return { api, engine: { moveClock } };
}

const lists = [
  ['/v1/customers', 'customers'],
  ['/v1/payments', 'payments'],
  ['/v1/loads', 'loads'],
  ['/v1/withdrawals', 'withdrawals'],
  ['/v1/refund-requests', 'refunds'],
  ['/v1/payment-requests', 'payment-requests'],
  ['/v1/linked-accounts', 'linked-accounts'],
] as const;

describe.each(lists)('%s', (path, portal) => {
  test('lists every record as it is, newest first, and those of one status', async () => {
    const all = await listed(path);
    expect(all).toEqual(await ofPortal(portal));
    expect(all.length).toBeGreaterThan(0);
    const statusOf = (row: ReplyBody) => row.status ?? row.verification.status;
    for (const status of new Set(all.map(statusOf)))
      expect(idsOf(await listed(path, { status }))).toEqual(
        idsOf(all.filter((row) => statusOf(row) === status)),
      );
  });

  test('lists those that were made between two times, both inclusive', async () => {
    const all = await listed(path);
    const times = all.map(({ created_at }) => created_at).sort();
    const [from, to] = [times[Math.floor(times.length / 3)], times.at(-1)];
    const within = all.filter(({ created_at: at }) => at >= from && at <= to);
    expect(idsOf(await listed(path, { from, to }))).toEqual(idsOf(within));
  });
});

test.each(lists.slice(1))(
  '%s lists the records of one customer, on either side, under every other filter',
  async (path) => {
    const all = await listed(path);
    const sides = /^(payer_|payee_|merchant_)?customer_id$/;
    const isOf = (row: ReplyBody, id: string) =>
      Object.entries(row).some(([name, value]) => sides.test(name) && value === id);
    for (const { id: customer_id } of await ofPortal('customers')) {
      const own = all.filter((row) => isOf(row, customer_id));
      expect(idsOf(await listed(path, { customer_id }))).toEqual(idsOf(own));
      for (const status of new Set(own.map((row) => row.status)))
        expect(idsOf(await listed(path, { customer_id, status }))).toEqual(
          idsOf(own.filter((row) => row.status === status)),
        );
    }
    expect(await listed(path, { customer_id: 'cus_x' })).toEqual([]);
  },
);

test("records are found by the Tenant's own references", async () => {
  const { api, shop, payer } = await shopAndPayer();
  const made = await api.pay(payer, shop, 1_00, {
    order_reference: 'order-77',
    invoice_reference: 'invoice-77',
  });
  await api.pay(payer, shop, 1_00, { order_reference: 'order-78' });
  const asked = await api.request(shop, 1_00, { order_reference: 'order-77' });
  const counter = await api.request(shop, 0, {
    type: 'static',
    amount: null,
    collection_point: { reference: 'till-1', name: 'Till 1' },
  });
  const found = async (query: string) => idsOf((await api.get(query)).data);
  expect(await found('/v1/payments?order_reference=order-77')).toEqual([made.id]);
  expect(await found('/v1/payments?invoice_reference=invoice-77')).toEqual([made.id]);
  expect(await found('/v1/payments?order_reference=order-78&invoice_reference=invoice-77')).toEqual(
    [],
  );
  expect(
    await found(`/v1/payments?order_reference=order-77&customer_id=${shop.customerId}`),
  ).toEqual([made.id]);
  expect(await found('/v1/payments?order_reference=order-77&customer_id=cus_x')).toEqual([]);
  expect(await found('/v1/payment-requests?order_reference=order-77')).toEqual([asked.id]);
  expect(await found('/v1/payment-requests?collection_point_reference=till-1')).toEqual([
    counter.id,
  ]);
});

async function shopAndPayer() {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  const payer = await api.funded('individual', 100_00);
  return { api, payer, shop: await api.banked('business') };
}

test('customers are listed only where something is asked: without any parameter external_ref is missing', async () => {
  const { status, body } = await server.call('GET', '/v1/customers');
  expect([status, body.error.code, body.error.param]).toEqual([
    400,
    'parameter_missing',
    'external_ref',
  ]);
  const [first] = await listed('/v1/customers');
  const only = await server.api.get(`/v1/customers?external_ref=${first?.external_ref}`);
  expect(only).toEqual({ object: 'list', data: [first], has_more: false, next_cursor: null });
});

test('each operation beyond the contract is marked as an extension, and no operation of it is', () => {
  const marked = Object.values(endpoints).filter((one) => 'extension' in one);
  expect(marked.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'GET /v1/accounts/:id',
    'GET /v1/disputes/:id',
    'GET /v1/linked-accounts',
    'GET /v1/linked-accounts/:id',
    'GET /v1/loads',
    'GET /v1/payment-requests',
    'GET /v1/payments',
    'GET /v1/refund-requests',
    'GET /v1/sessions/:id',
    'GET /v1/statements/:id',
    'GET /v1/transactions/:id',
    'GET /v1/webhook-events/:id',
    'GET /v1/withdrawals',
    'POST /v1/webhook-events/recover',
  ]);
});

type List = (context: ReadContext, query: never) => Promise<unknown>;

/** How pages are read among 100,000 records; all of it is taken back. */
async function plansOf(table: AnyTable, list: List, queries: readonly ListQuery[]) {
  const { owner, tenant } = server;
  // The planner's statistics are the owner's to make.
  const database = new Kysely({ dialect: new PostgresDialect({ pool: owner }) });
  const plans: string[] = [];
  const explained: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const { sqlFragments, ...raw } = node as RawNode;
      const [first = '', ...rest] = sqlFragments;
      return { ...raw, sqlFragments: [`explain ${first}`, ...rest] };
    },
    async transformResult({ result }) {
      plans[plans.length - 1] += result.rows.map((row) => Object.values(row)[0]).join('\n');
      return { ...result, rows: [] };
    },
  };
  const pages = { after: () => null, page: () => null };
  await database.connection().execute(async (db) => {
    await sql`begin`.execute(db);
    try {
      await sql`set local statement_timeout = 0`.execute(db);
      await copies(table).execute(db);
      await sql`analyze ${sql.table(table.name)}`.execute(db);
      const context = { tenantId: tenant.tenantId, db: db.withPlugin(explained), pages };
      for (const query of queries) {
        plans.push('');
        await list(context as never, query as never);
      }
    } finally {
      await sql`rollback`.execute(db);
    }
  });
  return plans;
}

const others: Readonly<Record<string, string>> = {
  id: "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid",
  external_ref: 'n::text',
  bank_order_id: 'null',
  movement_id: 'null',
  mobile_hmac: 'null',
};

/** The Tenant's first record, 100,000 times. */
const copies = (table: AnyTable) => {
  const columns = readColumns(table);
  const values = columns.map((name) => others[name] ?? name);
  if (table.name === 'linked_accounts') values[columns.indexOf('status')] = "'removed'";
  const first = sql`select * from ${sql.table(table.name)}
    where tenant_id = ${server.tenant.tenantId} order by id limit 1`;
  return sql`insert into ${sql.table(table.name)} (${sql.raw(columns.join(', '))})
    select ${sql.raw(values.join(', '))} from (${first}) one, generate_series(1, 100000) n`;
};

const from = '2024-01-01T00:00:00Z';
const planned: readonly (readonly [AnyTable, List, readonly ListQuery[]])[] = [
  [customers, listCustomers, []],
  [payments, listPayments, [{ order_reference: 'order-1' } as ListQuery]],
  [loads, listLoads, []],
  [withdrawals, listWithdrawals, []],
  [refunds, listRefunds, []],
  [paymentRequests, listPaymentRequests, [{ order_reference: 'order-1' } as ListQuery]],
  [linkedAccounts, listAllLinkedAccounts, []],
  // Its list is the contract's; only metadata is looked for as in the others.
  [disputes, listDisputes, []],
];

test.each(planned.map(([table, ...list]) => [table.name, table, ...list] as const))(
  'among 100,000 %s a page is read from an index, without a sort or a scan of the table',
  async (_, table, list, more) => {
    const { rows } = await sql<ReplyBody>`select * from ${sql.table(table.name)}
      where tenant_id = ${server.tenant.tenantId} order by id limit 1`.execute(server.service.db);
    const { customer_id: holder, payee_customer_id, merchant_customer_id } = rows[0];
    const of = holder ?? payee_customer_id ?? merchant_customer_id;
    const customer_id = of ? publicId('customer', of) : '';
    const ofOwn: readonly ListQuery[] = [
      { metadata: { order: '1' } },
      { metadata: { order: '1' }, status: 'failed', from },
    ];
    const usual: readonly ListQuery[] = [
      { limit: 25 },
      { limit: 25, status: 'failed', from },
      { limit: 25, order: 'oldest' },
      { limit: 25, order: 'oldest', status: 'failed', from },
      ...(table.name === 'customers'
        ? []
        : [
            { customer_id },
            { customer_id, status: 'failed', from },
            { customer_id, order: 'oldest' } as const,
          ]),
      ...more,
    ];
    const queries = table.name === 'disputes' ? ofOwn : [...ofOwn, ...usual];
    const plans = await plansOf(table, list, queries);
    for (const [at, plan] of plans.entries()) {
      expect(plan, JSON.stringify(queries[at])).toContain('Index Scan');
      expect(plan, JSON.stringify(queries[at])).not.toMatch(
        /-> +(Incremental )?Sort|Seq Scan|Bitmap/,
      );
    }
  },
);
