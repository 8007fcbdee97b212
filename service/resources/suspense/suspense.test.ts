import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { suspenseChecks } from '../../invariants/money/suspense.ts';
import { scopedQuery } from '../../invariants/scope.ts';

let client: pg.PoolClient;

/** Money in suspense in every status, and a withdrawal that was sent back. */
const server = await openServer({ manual: true });
const { api } = server;
beforeAll(async () => {
  const ana = await api.banked('individual');
  await api.fund(ana, 100_00);
  for (const amount of [5_00, 6_00, 7_00]) {
    const load = await api.confirmed(api.load(ana, amount));
    await api.simulate('load.failed', load.id);
    await api.simulate('load.paid_late', load.id);
  }
  const { data } = await api.get('/portal/api/review');
  const held = data.filter(({ resource }: { resource: string }) => resource === 'suspense');
  await api.post(`/portal/api/review/suspense/${held[0].id}/match`);
  await api.post(`/portal/api/review/suspense/${held[1].id}/return`);
  const withdrawal = await api.confirmed(api.withdraw(ana, 8_00));
  await api.simulate('withdrawal.settled', withdrawal.id);
  await api.simulate('withdrawal.returned', withdrawal.id);
  client = await server.owner.connect();
});
afterAll(async () => {
  client.release();
});

async function found(tenants: string | null = null): Promise<string[]> {
  const names: string[] = [];
  for (const { name, sql } of suspenseChecks)
    if ((await client.query(scopedQuery(sql, tenants))).rows.length > 0) names.push(name);
  return names;
}

test('an intact ledger has no violation', async () => {
  expect(await found()).toEqual([]);
  expect(await found(`tenant_id = ${client.escapeLiteral(server.tenant.tenantId)}`)).toEqual([]);
});

/** Single faults: the invariant that must find it, the fault, and its SQL. */
const corruptions: readonly (readonly [string, string, string])[] = [
  ['1.suspense', 'another amount', `update suspense set amount = 5 where status = 'returned'`],
  [
    '1.suspense',
    'money matched without a credit',
    `update suspense set status = 'matched', resolved_at = created_at where status = 'held'`,
  ],
  ['1.suspense', 'money gone', `delete from suspense where status = 'matched'`],
  [
    '1.suspense',
    'money received twice',
    `insert into entries select tenant_id, gen_random_uuid(), account_id, pocket, delta, number,
      balance_after, ledger_after, source_type, source_id, step, leg + 2, transaction_type, amount,
      fee_amount, counterpart_kind, counterpart_id, created_at from entries
      where step = 'suspense_received'`,
  ],
  [
    '3.suspense',
    'money held without a receipt',
    `update suspense set status = 'held' where status = 'matched'`,
  ],
];

test.each(corruptions)('%s finds %s', async (invariant, _deed, sql) => {
  await client.query('begin');
  try {
    await client.query('set local session_replication_role = replica');
    await client.query(sql);
    expect(await found()).toContain(invariant);
  } finally {
    await client.query('rollback');
  }
});
