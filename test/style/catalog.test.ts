import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makerSums } from '../../backoffice/approvals/maker_cap.ts';
import { platformRequests } from '../../backoffice/approvals/platform/table.ts';
import { approvalSums, approvals } from '../../backoffice/approvals/table.ts';
import { reviewCases, reviewNotes } from '../../backoffice/desk/table.ts';
import { apiKeys } from '../../backoffice/people/api_keys/table.ts';
import { deviceSignIns } from '../../backoffice/people/device/table.ts';
import { invitations } from '../../backoffice/people/invitations/table.ts';
import { sessions as personSessions } from '../../backoffice/people/sessions/table.ts';
import {
  passkeys as personPasskeys,
  recoveryCodes,
  signInLinks,
  usedChallenges,
} from '../../backoffice/people/sign_in/table.ts';
import {
  identityProviders,
  linkedIdentities,
  signInAttempts,
} from '../../backoffice/people/single_sign_on/table.ts';
import { supportConsents, supportVisits } from '../../backoffice/people/support/table.ts';
import { people, roleGrants } from '../../backoffice/people/table.ts';
import {
  bankStatementLines,
  bankStatementNotes,
  bankStatements,
} from '../../backoffice/portal/money/statements/table.ts';
import { alarms } from '../../backoffice/portal/operations/acknowledge.ts';
import { reviews } from '../../backoffice/review/table.ts';
import { idempotency } from '../../engine/batch/idempotency.ts';
import { openPool } from '../../engine/database/pool.ts';
import { balances } from '../../engine/ledger.ts';
import { type AnyTable, readColumns } from '../../engine/table.ts';
import { tenants } from '../../engine/tenant.ts';
import { bankMessages } from '../../service/rails/bank_messages.ts';
import { instructions } from '../../service/rails/instructions.ts';
import { railMessages, railObjects } from '../../service/rails/providers/table.ts';
import { pendingTransactions } from '../../service/resources/accounts/pending_transactions.ts';
import { accounts } from '../../service/resources/accounts/table.ts';
import { pins } from '../../service/resources/customers/credentials/pins.ts';
import {
  documentPublications,
  documents,
  documentVersions,
  legalTexts,
} from '../../service/resources/customers/documents/table.ts';
import { customerMessages } from '../../service/resources/customers/messages/table.ts';
import { owners } from '../../service/resources/customers/owners/table.ts';
import { customers } from '../../service/resources/customers/table.ts';
import { disputes } from '../../service/resources/disputes/table.ts';
import { identityChecks } from '../../service/resources/identity/checks.ts';
import { identityContents, identityDocuments } from '../../service/resources/identity/documents.ts';
import { identityFields, identityRecords } from '../../service/resources/identity/table.ts';
import { payoutSums } from '../../service/resources/limits/payouts.ts';
import { limitCounters } from '../../service/resources/limits/table.ts';
import { linkedAccounts } from '../../service/resources/linked_accounts/table.ts';
import { loads } from '../../service/resources/loads/table.ts';
import { revokedQrKeys } from '../../service/resources/payment_requests/revoked_qr_keys.ts';
import { paymentRequests } from '../../service/resources/payment_requests/table.ts';
import { payments } from '../../service/resources/payments/table.ts';
import { refunds } from '../../service/resources/refunds/table.ts';
import { returnRequests } from '../../service/resources/return_requests/table.ts';
import { sessions } from '../../service/resources/sessions/table.ts';
import { receivedMoney } from '../../service/resources/suspense/received_money.ts';
import { suspense } from '../../service/resources/suspense/table.ts';
import { withdrawals } from '../../service/resources/withdrawals/table.ts';
import { restores, settledOrders } from '../../service/restore/table.ts';
import { accessTokens, clientSecrets, clients } from '../../service/tenants/table.ts';
import { webhookEndpoints } from '../../service/webhooks/endpoint.ts';
import { furtherEndpoints } from '../../service/webhooks/further_table.ts';
import { webhookSecrets } from '../../service/webhooks/secrets.ts';
import { deliveries, events, furtherDeliveries } from '../../service/webhooks/table.ts';
import { jsonColumns } from '../../start/json_columns.ts';
import { testDatabase } from '../kit/database/database.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase(true);
  pool = openPool(database.url, { max: 2, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Rows found without knowing their tenant, or belongs to none; and what only cleaning up reads. */
const exceptions = [
  'clients_pkey', // a client id signs in before its tenant is known
  'schema_migrations_pkey',
  'service_keys_pkey', // its indexes are of all tenants
  'database_identity_pkey', // of the whole database
  'database_timelines_pkey',
  'stored_words_pkey', // the same for all tenants
  'processes_pkey', // a process serves all tenants
  'requests_age',
  'jobs_wake', // one loop serves all tenants
  'deliveries_wake',
  'rail_objects_key',
  'rail_objects_in_order', // a message names an object before its tenant is known
  'idempotency_age',
  'ledger_checkpoint_accounts_number', // of a few pages, whichever tenants they hold
  'events_request', // of a few pages, whichever tenants they hold
  'events_recorded',
  'requests_recorded',
  'attempts_recorded',
  'further_deliveries_wake',
  'further_attempts_recorded',
];

test('tenant_id comes first in every key and index, so that tables can be distributed by tenant', async () => {
  const { rows } = await pool.query<{ name: string; first: string }>(
    `select i.relname as name, a.attname as first
     from pg_index x join pg_class i on i.oid = x.indexrelid
     join pg_class t on t.oid = x.indrelid
     join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
     where t.relnamespace = current_schema()::regnamespace`,
  );
  expect(rows.length).toBeGreaterThan(30);
  const others = rows.filter((row) => row.first !== 'tenant_id').map((row) => row.name);
  expect(others.sort()).toEqual([...exceptions].sort());
});

test('there are no foreign keys: they are checked row by row and the engine holds them', async () => {
  const { rowCount } = await pool.query("select 1 from pg_constraint where contype = 'f'");
  expect(rowCount).toBe(0);
});

/** PostgreSQL's names of the engine's column types. */
const catalogNames: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp with time zone',
};

const tables: readonly AnyTable[] = [
  accessTokens,
  alarms,
  accounts,
  apiKeys,
  approvals,
  approvalSums,
  balances,
  bankMessages,
  bankStatementLines,
  bankStatementNotes,
  bankStatements,
  clients,
  clientSecrets,
  customerMessages,
  customers,
  deliveries,
  deviceSignIns,
  disputes,
  documentPublications,
  documents,
  documentVersions,
  events,
  furtherDeliveries,
  furtherEndpoints,
  idempotency,
  identityChecks,
  identityContents,
  identityDocuments,
  identityFields,
  identityRecords,
  identityProviders,
  instructions,
  invitations,
  legalTexts,
  limitCounters,
  linkedAccounts,
  linkedIdentities,
  loads,
  makerSums,
  owners,
  paymentRequests,
  payments,
  payoutSums,
  pins,
  platformRequests,
  pendingTransactions,
  people,
  personPasskeys,
  personSessions,
  recoveryCodes,
  railMessages,
  railObjects,
  refunds,
  restores,
  reviewCases,
  reviewNotes,
  reviews,
  revokedQrKeys,
  roleGrants,
  sessions,
  settledOrders,
  signInAttempts,
  signInLinks,
  supportConsents,
  supportVisits,
  receivedMoney,
  returnRequests,
  suspense,
  tenants,
  usedChallenges,
  webhookEndpoints,
  webhookSecrets,
  withdrawals,
];

test.each(tables.map((table) => [table.name, table] as const))(
  'the columns of %s are in the database as the engine believes',
  async (name, table) => {
    const { rows } = await pool.query<{ column: string; type: string; required: boolean }>(
      `select attname as column, format_type(atttypid, null) as type, attnotnull as required
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [name],
    );
    const found = new Map(rows.map((row) => [row.column, row]));
    for (const [column, { pg: type, nullable }] of Object.entries(table.columns)) {
      const expected = { column, type: catalogNames[type] ?? type, required: !nullable };
      expect(found.get(column)).toEqual(expected);
    }
    for (const column of readColumns(table)) expect(found.has(column)).toBe(true);
  },
);

test('each column that holds JSON has a schema', async () => {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select case n.nspname when 'control' then 'control.' else '' end
        || c.relname || '.' || a.attname as name, format_type(a.atttypid, null) as type
      from pg_attribute a join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in (current_schema(), 'control') and c.relkind in ('r', 'p')
        and a.attnum > 0 and not a.attisdropped`,
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const ofJson = rows.filter(({ type }) => type.startsWith('json')).map(({ name }) => name);
  const listed = jsonColumns.filter(({ type }) => type === 'jsonb').map(({ name }) => name);
  expect(listed.toSorted()).toEqual(ofJson.toSorted());
  for (const { name, type } of jsonColumns) expect([name, types.get(name)]).toEqual([name, type]);
});

test('triggers work row by row, and for each statement against TRUNCATE alone', async () => {
  const { rows } = await pool.query<{ name: string; row: boolean; truncates: boolean }>(
    `select tgname as name, tgtype & 1 <> 0 as row, tgtype & 32 <> 0 as truncates from pg_trigger g
       join pg_class c on c.oid = g.tgrelid
     where not tgisinternal and c.relnamespace in (current_schema()::regnamespace, 'control'::regnamespace)`,
  );
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(({ row, truncates }) => row === truncates)).toEqual([]);
});

test('what control calls is in control, so that no cell is needed by another', async () => {
  const { rows } = await pool.query(
    `select tgname from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
     where c.relnamespace = 'control'::regnamespace and p.pronamespace <> c.relnamespace`,
  );
  expect(rows).toEqual([]);
});
