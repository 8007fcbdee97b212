import { randomBytes } from 'node:crypto';
import type { RingKey } from '@tenant-payments/engine/key_ring.ts';
import { openSealer } from '@tenant-payments/engine/vault.ts';
import { readKeysStatus } from '@tenant-payments/service/keys/status.ts';
import { expect, test } from 'vitest';
import { heldLong } from '../../../test/kit/approvals.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openProvider } from '../../../test/kit/sign_on/provider.ts';
import { clientSecretSeal } from './providers.ts';
import { resealClientSecrets } from './reseal.ts';

/** The client secrets of identity providers under another key (rules/keys#9). */

const server = await openServer({ own: true, workers: false, config: { approvals: true } });
const { config, db, pool } = server.service;
const [a] = config.sealingKeys;
const b: RingKey = { id: '2026b', key: randomBytes(32) };

const maria = await portalPerson(server, 'platform', ['admin']);
const otto = await portalPerson(server, 'platform', ['admin']);
await heldLong(server, maria, otto);
const provider = await openProvider();
const asked = async (client_id: string) => {
  const given = { issuer: provider.issuer, client_id, client_secret: provider.secret };
  const act = { resource: 'single-sign-on', id: 'platform', move: 'set', provider: given };
  return (await maria.ask('POST', '/platform-approvals', { ...act, note: 'ours' })).body;
};
const decide = (id: string, how: 'approve' | 'refuse') =>
  otto.ask('POST', `/platform-approvals/${id}/${how}`);

/** Every sealed client secret as the new key alone opens it, with the client that it is of. */
async function opened(): Promise<readonly [string, unknown][]> {
  const { rows } = await pool.query<{ client_id: string; sealed: string }>(
    `select client_id, client_secret_sealed as sealed from control.identity_providers union all
     select given::jsonb -> 'provider' ->> 'client_id', given_secret from control.approvals
     where given_secret is not null order by 1`,
  );
  const sealer = openSealer([b]);
  return rows.map(({ client_id, sealed }) => [
    client_id,
    sealer.open('platform', clientSecretSeal({ issuer: provider.issuer, client_id }), sealed),
  ]);
}

test('the secret of a provider, and of one that waits for a second admin, is sealed anew', async () => {
  expect((await decide((await asked('set')).id, 'approve')).status).toBe(200);
  const waiting = await asked('waiting');
  await expect(opened()).rejects.toThrow();
  const status = async () =>
    (await readKeysStatus(db, { ...config, sealingKeys: [b, a] })).rings[0]?.keys[0]?.values;
  expect(await status()).toBe(0);
  await resealClientSecrets(db, openSealer([b, a]));
  expect(await opened()).toEqual([
    ['set', provider.secret],
    ['waiting', provider.secret],
  ]);
  expect(await status()).toBe(2);
  expect((await decide(waiting.id, 'refuse')).status).toBe(200);
});

test('a request that is decided holds no secret', async () => {
  const refused = await asked('refused');
  await decide(refused.id, 'refuse');
  const { rows } = await pool.query(
    `select status, given_secret from control.approvals where given_secret is not null
       or status <> 'waiting'`,
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.every(({ given_secret }) => given_secret === null)).toBe(true);
});
