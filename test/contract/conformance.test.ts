import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { afterAll, expect, test } from 'vitest';
import { openServer } from '../kit/server.ts';
import { digestOf } from './digest.ts';
import { openConformance, operations } from './run.ts';
import { openSender } from './send.ts';
import { shapeReply } from './shape_reply.ts';

const rateLimit = 10_000_000;
const server = await openServer({ own: true, tenant: { rateLimit }, workers: false });
const stranger = await server.anotherTenant({ rateLimit });
const sender = openSender(server.baseUrl);
const conformance = await openConformance({
  baseUrl: server.baseUrl,
  sender,
  token: server.token,
  credentials: { client_id: server.tenant.client_id, client_secret: server.tenant.client_secret },
  strangerToken: stranger.token,
  digest: () => digestOf(server.service.pool),
  shapeReply,
});
afterAll(async () => {
  await sender.close();
});

test.each(operations.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s refuses all that the contract does not allow, by name, and nothing changes',
  async (_, endpoint) => {
    const { cases, violations } = await conformance.check(endpoint);
    expect(violations, violations.join('\n')).toEqual([]);
    expect(cases).toBeGreaterThan(20);
  },
);

test('all 49 operations were called, and each has answered with success', () => {
  expect([...conformance.answered].sort()).toEqual(Object.keys(endpoints).sort());
  expect(conformance.answered.size).toBe(49);
});
