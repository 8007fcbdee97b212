import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import {
  endpoints,
  personalFields,
  secretFields,
  secretFieldsOfPages,
} from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { expect, test } from 'vitest';
import type { Message } from '../../service/rails/messages.ts';
import { openHostedPages } from '../kit/pages/hosted.ts';
import { twoQrKeys } from '../kit/qr_keys.ts';
import { openServer } from '../kit/server.ts';

const lines: string[] = [];
const server = await openServer({
  manual: true,
  config: { qrSigningKeys: twoQrKeys() },
  onLog: (line) => lines.push(line),
});
const { api, service } = server;
const pages = openHostedPages(server);
const { bearer } = await pages.load(await api.banked('individual'));

/** A value of no shape that redaction knows, so that its field alone hides it. */
const canary = 'Kanarienvogel';
const names = [...new Set([...secretFields, ...secretFieldsOfPages, ...personalFields])];
const holding = Object.fromEntries(names.map((name) => [name, canary]));

const ofTenant: readonly EndpointDefinition[] = [
  ...Object.values(endpoints),
  ...Object.values(portalEndpoints),
];
const doors = [
  ...ofTenant.map((each) => ({ each, token: server.token })),
  ...Object.values<EndpointDefinition>(hostedEndpoints).map((each) => ({ each, token: bearer })),
].filter(({ each }) => each.method !== 'GET');

/**
 * Every secret and personal field of the contract, which is refused for its shape; and those that the
 * operation takes, which come further. redact.test.ts and validation.test.ts have each name by itself.
 */
const bodiesOf = ({ body }: EndpointDefinition): readonly object[] => [
  { ...holding, prefill: holding, person: holding, business: holding },
  Object.fromEntries(
    names.filter((name) => name in (body?.properties ?? {})).map((name) => [name, canary]),
  ),
];

const urlOf = ({ path }: EndpointDefinition) => path.replaceAll(/:\w+/g, 'x');

async function send(door: EndpointDefinition, token: string, body: object) {
  const form = door.bodyType === 'form';
  const text = form ? new URLSearchParams(body as Record<string, string>).toString() : body;
  return server.call(door.method, urlOf(door), {
    token,
    key: crypto.randomUUID(),
    body: text,
    ...(form ? { headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {}),
  });
}

// First: the calls of the next test end the access of the Tenant.
test('what a message says, and to whom, is in no log, no reply and no row, whatever its provider throws', async () => {
  const { messages } = server.rails;
  const { send } = messages;
  const given: string[] = [];
  Object.assign(messages, {
    async send(message: Message) {
      given.push(JSON.stringify(message));
      throw new Error(`cannot send ${JSON.stringify(message)}`);
    },
  });
  const address = `${canary.toLowerCase()}@example.com`;
  const ana = await api.banked('individual');
  const page = await pages.flow('contact_change', ana.customerId);
  const { status, body } = await page.ask('/code', { email: address });
  await api.simulate('customer.pin_locked', ana.customerId);
  await server.runJobs();
  Object.assign(messages, { send });
  expect(status).toBeGreaterThanOrEqual(500);
  expect(given[0]).toContain(address);
  expect(given.length).toBeGreaterThan(1);
  const secrets = [address, '000000 is your code', 'we locked the PIN'];
  const holds = (text: string) => secrets.some((secret) => text.includes(secret));
  expect(holds(JSON.stringify(body))).toBe(false);
  expect(lines.filter(holds)).toEqual([]);
  await service.requestLog.flush();
  for (const table of ['requests', 'customer_messages', 'control.audit', 'events']) {
    const { rows } = await server.owner.query<{ text: string }>(
      `select t::text as text from ${table} t`,
    );
    expect([table, rows.filter(({ text }) => holds(text))]).toEqual([table, []]);
  }
});

test('no operation repeats a secret or personal field in its refusal, the log or the request log', async () => {
  const repeating: string[] = [];
  for (const { each, token } of doors)
    for (const body of bodiesOf(each)) {
      const { status, body: said } = await send(each, token, body);
      if (status >= 400 && JSON.stringify(said).includes(canary)) repeating.push(each.id);
    }
  expect(repeating).toEqual([]);
  await service.requestLog.flush();
  const { rows } = await service.pool.query('select * from requests where tenant_id = $1', [
    server.tenant.tenantId,
  ]);
  const logged = doors.map(({ each }) => urlOf(each)).filter((url) => url.startsWith('/v1/'));
  expect(rows.map(({ path }) => path)).toEqual(expect.arrayContaining(logged));
  expect(rows.filter((row) => JSON.stringify(row).includes(canary))).toEqual([]);
  expect(lines.filter((line) => line.includes(canary))).toEqual([]);
});
