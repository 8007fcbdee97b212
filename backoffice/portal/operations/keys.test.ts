import { expect, test } from 'vitest';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';

/** The counts of the values that rest on each key, as the portal shows them (rules/keys#10). */

const server = await openServer({ own: true, workers: false });

test('an admin reads each ring with what rests on its keys and what to do next, and no key', async () => {
  const admin = await portalPerson(server, 'platform', ['admin']);
  const { status, body } = await admin.ask('GET', '/keys');
  expect(status).toBe(200);
  expect(body.rings.map(({ name }: { name: string }) => name)).toEqual([
    'SEALING_KEY',
    'PIN_PEPPER',
    'QR_SIGNING_KEY',
    'IDENTITY_KEY',
  ]);
  expect(body.rings[0]).toMatchObject({ next: 'nothing to do', missing: [], nameless: 0 });
  expect(body.rings[0].keys[0]).toMatchObject({ first: true, may_be_dropped: false });
  const { config } = server.service;
  for (const { key } of [...config.sealingKeys, ...config.pinPeppers]) {
    const text = Buffer.from(key as Uint8Array);
    expect(JSON.stringify(body)).not.toContain(text.toString('base64'));
  }
});

test('nobody but an admin reads it', async () => {
  for (const role of ['reviewer', 'support'] as const) {
    const person = await portalPerson(server, 'platform', [role]);
    expect((await person.ask('GET', '/keys')).status).toBe(403);
  }
});
