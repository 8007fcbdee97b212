import { randomBytes } from 'node:crypto';
import type { KeyRing, RingKey } from '@tenant-payments/engine/key_ring.ts';
import { expect, test } from 'vitest';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import { signingKeyPem } from '../config/key_rings.ts';
import { readKeysStatus } from './status.ts';

const server = await openServer({ own: true, manual: true });
const { config, db } = server.service;
const [a] = config.qrSigningKeys;
const b: RingKey<string> = { id: '2026b', key: signingKeyPem(randomBytes(32)) };
const withKeys = (...qrSigningKeys: KeyRing<string>) => ({ ...config, qrSigningKeys });
const process = (secrets: ReturnType<typeof withKeys>) =>
  openServer({ beside: server, workers: false, secrets });
const rotated = await process(withKeys(b, a));
const dropped = await process(withKeys(b));

const { api } = server;
const ana = await api.funded('individual', 500_00);
const cafe = await api.banked('business');

test('a printed code is paid under a newer first key, and refused once its own key is dropped', async () => {
  const { qr_payload } = await api.request(cafe, 12_00);
  const paidAt = (at: typeof server) => at.apiOf(server).payRequest(ana, { qr_payload });
  expect(await refusalOf(paidAt(dropped))).toMatchObject({ code: 'payment_request_invalid' });
  const before = await readKeysStatus(db, withKeys(b, a));
  expect(before.rings[2]?.keys[1]).toMatchObject({ id: a.id, values: 1, may_be_dropped: false });
  expect((await readKeysStatus(db, withKeys(b))).rings[2]?.missing).toEqual([
    { id: a.id, values: 1 },
  ]);
  await rotated.apiOf(server).confirmed(paidAt(rotated));
  const after = await readKeysStatus(db, withKeys(b, a));
  expect(after.rings[2]?.keys[1]).toMatchObject({ id: a.id, values: 0, may_be_dropped: true });
});

test('a code that the newer key signed is read by every process that has it', async () => {
  const made = await rotated.apiOf(server).request(cafe, 3_00);
  const paidAt = (at: typeof server) =>
    at.apiOf(server).payRequest(ana, { qr_payload: made.qr_payload });
  expect(await paidAt(dropped)).toMatchObject({ status: 'requires_confirmation' });
  expect(await refusalOf(paidAt(server))).toMatchObject({ code: 'payment_request_invalid' });
});
