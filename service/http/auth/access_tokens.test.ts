import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { openTokenLookup } from './access_tokens.ts';

const server = await openServer({ workers: false });
const others = await Promise.all(Array.from({ length: 3 }, () => server.anotherTenant()));
const tenants = [server.tenant, ...others];
const keyOf = ({ tenantId, token }: { tenantId: string; token: string }) => ({
  tenantId,
  tokenHash: tokenHash(token),
});

/** A look-up, and the statements that it sent. */
function counted() {
  const { pool } = server.service;
  const sent: pg.QueryConfig[] = [];
  const query = (config: pg.QueryConfig) => {
    sent.push(config);
    return pool.query(config);
  };
  return { lookUp: openTokenLookup({ query: query as typeof pool.query }), sent };
}

test('tokens that are asked for in one turn share a statement, and each is answered by its own row', async () => {
  const { lookUp, sent } = counted();
  const unknown = { tenantId: server.tenant.tenantId, tokenHash: tokenHash('unknown') };
  const found = await Promise.all([unknown, ...tenants.map(keyOf)].map(lookUp));
  expect(sent).toHaveLength(1);
  const clients = found.map((row) => row?.client_id ?? null);
  expect(clients[0]).toBeNull();
  expect(new Set(clients).size).toBe(1 + tenants.length);
  for (const [index, tenant] of tenants.entries())
    expect(await lookUp(keyOf(tenant))).toEqual(found[index + 1]);
});

test('a token names nobody beside the Tenant that it was given to, and none of a suspended one', async () => {
  const { lookUp } = counted();
  const [first, second] = others;
  if (!first || !second) throw new Error('there are three');
  expect(await lookUp({ ...keyOf(first), tenantId: second.tenantId })).toBeNull();
  const { owner: pool } = server;
  const ofFirst = [first.tenantId];
  await pool.query(
    "update tenants set suspended_at = now(), suspended_reason = 'test' where tenant_id = $1",
    ofFirst,
  );
  const found = await Promise.all([first, second].map(keyOf).map(lookUp));
  expect(found).toMatchObject([null, { client_id: second.client_id }]);
  await pool.query(
    'update tenants set suspended_at = null, suspended_reason = null where tenant_id = $1',
    ofFirst,
  );
});
