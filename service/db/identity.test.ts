import { randomBytes } from 'node:crypto';
import { inTransaction } from '@tenant-payments/engine/database/transaction.ts';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { buildService, closeService } from '../../start/app.ts';
import { openServer } from '../../test/kit/server.ts';
import type { Config } from '../config/config.ts';
import { keyChecks, signingKeyPem } from '../config/key_rings.ts';
import { proveIdentity } from './identity.ts';

const server = await openServer({ own: true, workers: false });
const { config } = server.service;
const newKey = (id: string) => ({ id, key: randomBytes(32) });

/** A start of another process with these settings. */
async function start(settings: Partial<Config>): Promise<void> {
  const { serviceUrl: databaseUrl, controlUrl } = server;
  const context = { databaseUrl, controlUrl, log: pino({ level: 'silent' }) };
  await closeService(await buildService({ ...config, ...settings }, context));
}

test('a database keeps its environment and check values of its keys, and no key', async () => {
  const { rows } = await server.owner.query('select name, key_id, value from database_identity');
  const kept = rows.map(({ name, key_id, value }) => ({ name, id: key_id, check: value }));
  const environment = { name: 'ENVIRONMENT', id: '', check: 'sandbox' };
  expect(kept).toHaveLength(5);
  expect(kept).toEqual(expect.arrayContaining([environment, ...keyChecks(config)]));
  const { key } = config.pinPeppers[0];
  for (const form of ['hex', 'base64', 'base64url'] as const)
    expect(JSON.stringify(rows)).not.toContain(key.toString(form).slice(0, 16));
});

test.each<[string, Partial<Config>]>([
  ['ENVIRONMENT is production, but the database is one of sandbox', { environment: 'production' }],
  [
    'PIN_PEPPER holds no key that the database was used with before',
    { pinPeppers: [newKey('new')] },
  ],
  [
    'SEALING_KEY holds no key that the database was used with before',
    { sealingKeys: [newKey('test')] },
  ],
  [
    'QR_SIGNING_KEY holds no key that the database was used with before',
    { qrSigningKeys: [{ id: 'new', key: signingKeyPem(randomBytes(32)) }] },
  ],
])('a start is refused: %s', async (line, settings) => {
  await expect(start(settings)).rejects.toThrow(new Error(line));
});

test('a new key of a ring is noted beside a known one, and may stand alone from then on', async () => {
  const fresh = newKey('2027');
  const [known] = config.pinPeppers;
  await expect(start({ pinPeppers: [fresh] })).rejects.toThrow('PIN_PEPPER holds no key');
  await start({ pinPeppers: [fresh, known] });
  await start({ pinPeppers: [fresh] });
  await start({ pinPeppers: [{ ...fresh, id: 'renamed' }] });
  const another = { pinPeppers: [newKey('2027'), known] } as const;
  await expect(start(another)).rejects.toThrow(
    'PIN_PEPPER: the key 2027 is another one than had this id before',
  );
});

test('of two first starts with other keys one is refused', async () => {
  await server.owner.query('delete from database_identity');
  const keys = (id: string) => [{ name: 'PIN_PEPPER', id, check: id }];
  const results = await Promise.allSettled(
    ['a', 'b'].map((id) =>
      inTransaction(server.service.pool, (client) => proveIdentity(client, 'sandbox', keys(id))),
    ),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
