import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../kit/server.ts';
import { digestOf } from './digest.ts';
import { type Conformance, openConformance, operations } from './run.ts';
import { openSender, type Sender } from './send.ts';

let on: TestService;
let sender: Sender;
let conformance: Conformance;

beforeAll(async () => {
  const rateLimit = 10_000_000;
  // Without workers: nothing changes by itself, such as a request that lives for a second.
  on = await startTestService({ tenant: { rateLimit }, workers: false });
  const stranger = await on.anotherTenant({ rateLimit });
  sender = openSender(on.baseUrl);
  conformance = await openConformance({
    baseUrl: on.baseUrl,
    sender,
    token: on.token,
    credentials: { client_id: on.tenant.client_id, client_secret: on.tenant.client_secret },
    strangerToken: stranger.token,
    digest: () => digestOf(on.service.pool),
  });
});
afterAll(async () => {
  await sender.close();
  await on.stop();
});

test.each(operations.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s refuses all that the contract does not allow, by name, and nothing changes',
  async (_, endpoint) => {
    const { cases, violations } = await conformance.check(endpoint);
    expect(violations, violations.join('\n')).toEqual([]);
    expect(cases).toBeGreaterThan(20);
  },
);

test('all 35 operations of the contract were called, and each has answered with success', () => {
  expect([...conformance.answered].sort()).toEqual(Object.keys(endpoints).sort());
  expect(conformance.answered.size).toBe(35);
});
