import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/backoffice/contract/endpoint.ts';
import { personalFields } from '@tenant-payments/contract/catalog.ts';
import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { redactedMark } from '../../service/http/log/redact.ts';
import { startTestReceiver } from '../kit/http/receiver.ts';
import { type PortalPerson, portalPerson } from '../kit/people.ts';
import { openServer } from '../kit/server.ts';
import { until } from '../kit/wait.ts';
import { idsOf } from './foreign_ids.ts';
import { playTenant } from './records.ts';

/** Every read of the portal, by whoever may not see personal data (rules/people#7). */

const server = await openServer({ manual: true, tenant: { rateLimit: 60_000 } });
const { tenantId } = server.tenant;
const receiver = await startTestReceiver();
afterAll(() => receiver.close());
// Words around what was sent: nobody knows their fields.
receiver.answer(({ body }, response) => void response.end(`could not book ${body}`));
await server.api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
const own = await playTenant(server, server.tenant);
await until(() => receiver.received.length > 0);
await server.service.requestLog.flush();
const { samples } = await idsOf(server.service.pool, tenantId);

/** Ids for the `:id` of each path; an operation that is not named has none in its path. */
const idsFor: Readonly<Record<string, readonly string[]>> = {
  getRecord: samples,
  listEventAttempts: samples.filter((id) => id.startsWith('evt_')),
  listCustomerDocuments: [own.payer.customerId, own.shop.customerId],
  listCustomerMessages: [own.payer.customerId, own.shop.customerId],
  listCustomerCases: [own.payer.customerId, own.shop.customerId],
};
const queries: Readonly<Record<string, string>> = {
  searchRecords: '?q=someone@example.com',
  listFaces: `?ids=${own.payer.customerId},${own.shop.customerId}`,
};

const reads = Object.values<PortalEndpoint>(portalEndpoints).filter(
  ({ id, method, of, may, path }) =>
    method === 'GET' &&
    of === 'tenant' &&
    id !== 'openStream' &&
    // The same in every sandbox, and of nobody.
    id !== 'getMagic' &&
    (mayCall(may, ['reader']) || mayCall(may, ['support'])) &&
    (!path.includes(':') || id in idsFor),
);

const names = new Set(personalFields);
/** Shorter ones are found in other words too. */
const shortest = 5;

/** The personal values in a reply, also in bodies that are text. */
function personalIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    if (names.has(name)) return value.length < shortest ? [] : [value];
    return value.startsWith('{') ? personalIn(JSON.parse(value)) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, held]) =>
    personalIn(held, Array.isArray(value) ? name : inner),
  );
}

async function repliesTo(person: PortalPerson, { id, path }: PortalEndpoint): Promise<string[]> {
  const texts: string[] = [];
  for (const one of idsFor[id] ?? ['']) {
    const url = path.replace('/portal/api', '').replace(':id', one) + (queries[id] ?? '');
    const { status, body } = await person.ask('GET', url, undefined, {
      headers: { 'tenant-id': tenantId },
    });
    if (status === 200) texts.push(JSON.stringify(body));
  }
  return texts;
}

const people = {
  developer: await portalPerson(server, tenantId, ['developer', 'finance']),
  reader: await portalPerson(server, tenantId, ['reader']),
  support: await portalPerson(server, 'platform', ['support']),
};

const shown = new Set<string>();
const holding = reads.filter(({ personal }) => personal);

for (const read of holding)
  for (const text of await repliesTo(people.developer, read))
    for (const value of personalIn(JSON.parse(text)[read.personal ?? ''])) shown.add(value);
// The request log hides it from everybody.
shown.delete(redactedMark);

test('whoever may see personal data finds names, addresses, banks and what a customer wrote', () => {
  const wanted = [own.application.email, 'Corner Cafe LLC', 'Standard Bank', 'It was not me'];
  expect([...shown]).toEqual(expect.arrayContaining(wanted));
});

describe.each(['reader', 'support'] as const)('%s', (role) => {
  test.each(
    reads.filter(({ may }) => mayCall(may, [role])).map((read) => [read.id, read] as const),
  )('reads no personal data by %s', async (_, read) => {
    const texts = await repliesTo(people[role], read);
    expect(texts.length).toBeGreaterThan(0);
    const found = [...shown].filter((value) => texts.some((text) => text.includes(value)));
    expect(found).toEqual([]);
  });
});
