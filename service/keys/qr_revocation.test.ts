import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import { expect, test } from 'vitest';
import { openApprovals, shortOf } from '../../test/kit/approvals.ts';
import { newQrKey } from '../../test/kit/qr_keys.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer, startTestServer, type TestServer } from '../../test/kit/server.ts';
import { until } from '../../test/kit/wait.ts';
import { readKeysStatus } from './status.ts';

/** The fate of codes of a key that is revoked (rules/keys#12). */

const { server, admins } = await openApprovals();
const [maria, otto] = admins;
const { config, db } = server.service;
const [newer, older] = config.qrSigningKeys;
if (!older) throw new Error('the ring has two keys');
const withKeys = (...qrSigningKeys: KeyRing<string>) => ({ ...config, qrSigningKeys });
const before = await openServer({
  beside: server,
  workers: false,
  secrets: withKeys(older, newer),
});
const { api } = server;
const ana = await api.funded('individual', 500_00);
const cafe = await api.banked('business');

const paidAt = (at: TestServer, { qr_payload }: { qr_payload: string }) =>
  at.apiOf(server.tenant).payRequest(ana, { qr_payload });
const codeOf = (at: TestServer) => at.apiOf(server.tenant).request(cafe, 2_00);

test('a key that signs new codes, or is in no ring, cannot be revoked', async () => {
  const revoke = (id: string) => maria.ask('POST', `/qr-keys/${id}/revoke`);
  expect(shortOf(await revoke(newer.id))).toEqual([409, 'signs_new_codes']);
  expect(shortOf(await revoke('unknown'))).toEqual([404, 'not_found']);
  const program = await server.call('POST', `/portal/api/qr-keys/${older.id}/revoke`);
  expect(shortOf(program)).toEqual([403, 'no_person']);
});

test('codes of a key that two admins revoke are refused by every process within a second', async () => {
  const printed = [await codeOf(before), await codeOf(before), await codeOf(before)] as const;
  const fresh = await codeOf(server);
  expect(await paidAt(server, printed[0])).toMatchObject({ status: 'requires_confirmation' });
  const asked = { resource: 'qr-keys', id: older.id, move: 'revoke', note: 'it was stolen' };
  const { body } = await maria.ask('POST', '/platform-approvals', asked);
  expect(await paidAt(server, printed[1])).toMatchObject({ status: 'requires_confirmation' });
  const { status } = await otto.ask('POST', `/platform-approvals/${body.id}/approve`);
  expect(status).toBe(200);
  const atMs = performance.now();
  const refused = { code: 'payment_request_invalid', details: { reason: 'key_revoked' } };
  for (const at of [server, before]) {
    const reasonNow = () =>
      paidAt(at, printed[2]).then(
        async (payment) => {
          await at.apiOf(server.tenant).post(`/v1/payments/${payment.id}/cancel`);
          return false;
        },
        () => true,
      );
    await until(reasonNow, { what: 'the end of a key' });
    expect(await refusalOf(paidAt(at, printed[2]))).toMatchObject(refused);
  }
  expect(performance.now() - atMs).toBeLessThan(3_000);
  expect(await paidAt(server, fresh)).toMatchObject({ status: 'requires_confirmation' });
});

test('a revoked key is shown, may be dropped, and cannot be revoked again', async () => {
  const { data } = (await maria.ask('GET', '/qr-keys')).body;
  expect(data).toEqual([
    { id: newer.id, object: 'qr_key', signs: true, revoked_at: null },
    { id: older.id, object: 'qr_key', signs: false, revoked_at: expect.any(String) },
  ]);
  const again = await maria.ask('POST', `/qr-keys/${older.id}/revoke`);
  expect(shortOf(again)).toEqual([409, 'already_revoked']);
  const ring = (await readKeysStatus(db, config)).rings[2];
  expect(ring?.keys).toMatchObject([
    { id: newer.id, revoked: false },
    { id: older.id, revoked: true, may_be_dropped: true },
  ]);
  expect(ring?.next).toBe(`drop ${older.id} and restart every process`);
  const dropped = (await readKeysStatus(db, withKeys(newer))).rings[2];
  expect(dropped).toMatchObject({ missing: [], next: 'nothing to do' });
});

test('a start that would sign with a revoked key is refused with one line', async () => {
  const start = (...keys: KeyRing<string>) =>
    startTestServer({ beside: server, workers: false, secrets: withKeys(...keys) });
  await expect(start(older, newer)).rejects.toThrow(
    `QR_SIGNING_KEY: the key ${older.id} is revoked; put another one first`,
  );
});

test('a sandbox without the rule lets one admin revoke a key at once', async () => {
  const free = newQrKey('free');
  const off = await startTestServer({
    beside: server,
    workers: false,
    secrets: withKeys(newer, free),
  });
  try {
    const headers = { cookie: maria.cookie() ?? '', origin: off.service.config.publicUrl };
    const path = `/portal/api/qr-keys/${free.id}/revoke`;
    const { status, body } = await off.call('POST', path, { token: null, headers });
    expect([status, body.revoked_at]).toEqual([200, expect.any(String)]);
  } finally {
    await off.stop();
  }
});
