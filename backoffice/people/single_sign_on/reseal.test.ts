import { randomBytes } from 'node:crypto';
import { openSealer } from '@tenant-payments/engine/vault.ts';
import { expect, test } from 'vitest';
import { byCommandLine, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openProvider } from '../../../test/kit/sign_on/provider.ts';
import { providerOf } from './providers.ts';
import { resealKeys } from './reseal.ts';

const server = await openServer({ own: true, workers: false });
const { service, tenant } = server;

test("a reseal seals a provider's client secret under the first key, and leaves its row", async () => {
  const owner = await portalPerson(server, tenant.tenantId, ['owner']);
  const { issuer, secret: client_secret } = await openProvider();
  await owner.ask('PUT', '/single-sign-on', { issuer, client_id: 'ours', client_secret });
  const sealer = openSealer([{ id: 'newer', key: randomBytes(32) }, ...service.config.sealingKeys]);
  const act = { act: 'beginReseal', record: null, scope: 'platform' };
  const begun = await byCommandLine(server, resealKeys(service, sealer), {}, act);
  expect(begun.tenants).toBeGreaterThan(0);
  const row = await providerOf(service.control, tenant.tenantId);
  expect(row?.client_secret_sealed).toMatch(/^s1\.newer\./);
  const { rows } = await service.pool.query(
    "select actor_kind, record, body from control.audit where act = 'beginReseal'",
  );
  expect(rows).toMatchObject([{ actor_kind: 'command_line', record: null }]);
  expect(rows[0]?.body).not.toContain('s1.newer');
});
