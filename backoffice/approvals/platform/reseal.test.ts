import { randomBytes } from 'node:crypto';
import { openSealer } from '@tenant-payments/engine/vault.ts';
import { expect, test } from 'vitest';
import { heldLong } from '../../../test/kit/approvals.ts';
import { byCommandLine, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openProvider } from '../../../test/kit/sign_on/provider.ts';
import { clientSecretSeal, providerOf } from '../../people/single_sign_on/providers.ts';
import { resealKeys } from './reseal.ts';

const server = await openServer({ own: true, workers: false });
const { service, tenant } = server;

const newer = { id: 'newer', key: randomBytes(32) };
const newest = { id: 'newest', key: randomBytes(32) };

test("a reseal seals a provider's client secret under the first key, and leaves its row", async () => {
  const owner = await portalPerson(server, tenant.tenantId, ['owner']);
  const { issuer, secret: client_secret } = await openProvider();
  await owner.ask('PUT', '/single-sign-on', { issuer, client_id: 'ours', client_secret });
  const sealer = openSealer([newer, ...service.config.sealingKeys]);
  const act = { act: 'beginReseal', record: null, scope: 'platform' };
  const begun = await byCommandLine(
    server,
    resealKeys({ clocks: service.clocks, cells: [service.db] }, sealer),
    {},
    act,
  );
  expect(begun.tenants).toBeGreaterThan(0);
  const row = await providerOf(service.control, tenant.tenantId);
  expect(row?.client_secret_sealed).toMatch(/^s1\.newer\./);
  const { rows } = await service.pool.query(
    "select actor_kind, record, body from control.audit where act = 'beginReseal'",
  );
  expect(rows).toMatchObject([{ actor_kind: 'command_line', record: null }]);
  expect(rows[0]?.body).not.toContain('s1.newer');
});

test('the secret of a request that waits for a second admin is sealed anew, and goes with its decision', async () => {
  const [maria, otto] = [
    await portalPerson(server, 'platform', ['admin']),
    await portalPerson(server, 'platform', ['admin']),
  ];
  await heldLong(server, maria, otto);
  const { issuer, secret: client_secret } = await openProvider();
  const provider = { issuer, client_id: 'waiting', client_secret };
  const asked = { resource: 'single-sign-on', id: 'platform', move: 'set', provider, note: 'ours' };
  const { id } = (await maria.ask('POST', '/platform-approvals', asked)).body;
  const kept = async () =>
    (await service.control.query('select given_secret as sealed from control.approvals')).rows;
  const sealer = openSealer([newest, newer, ...service.config.sealingKeys]);
  const act = { act: 'beginReseal', record: null, scope: 'platform' };
  await byCommandLine(
    server,
    resealKeys({ clocks: service.clocks, cells: [service.db] }, sealer),
    {},
    act,
  );
  const [{ sealed }] = await kept();
  expect(sealed).toMatch(/^s1\.newest\./);
  const place = clientSecretSeal({ issuer, client_id: 'waiting' });
  expect(sealer.open('platform', place, sealed)).toBe(client_secret);
  expect((await otto.ask('POST', `/platform-approvals/${id}/refuse`)).status).toBe(200);
  expect(await kept()).toEqual([{ sealed: null }]);
});
