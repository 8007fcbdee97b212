import { readFileSync } from 'node:fs';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { openApiDocument } from '@tenant-payments/contract/emit/openapi/openapi.ts';
import { expect, test } from 'vitest';
import { getSettings } from '../../backoffice/settings/settings.ts';
import { createTenant } from '../../backoffice/tenants/create.ts';
import { headerOf } from '../../service/resources/reconciliation/copy.ts';
import { fetchToken, type ReplyBody } from '../kit/http/http.ts';
import { openServer } from '../kit/server.ts';

/** docs/reference/numbers.md against a running service (rules/limits#17). */
const page = readFileSync(new URL('../../docs/reference/numbers.md', import.meta.url), 'utf8');

/** The rows of a section's table, below its head. */
function rowsOf(section: string): string[][] {
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | '));
}

const numberOf = (cell = '') => Number(/[\d,]+/.exec(cell)?.[0].replaceAll(',', ''));
const centsOf = (cell = '') => (cell === 'none' ? null : Number(cell.replaceAll(/[$,.]/g, '')));
const plain = (cell = '') => cell.replaceAll('`', '');
const rowOf = (section: string, what: string): string[] =>
  rowsOf(section).find(([first]) => first === what) ?? [];
const secondsOf = (what: string) => numberOf(rowOf('Lifetimes', what)[1]);

const server = await openServer({ manual: true });
const { facts } = await createTenant(server.service, { name: 'New' });
const api = server.apiOf({ token: await fetchToken(server.baseUrl, facts) });
const production = await openServer({ environment: 'production', workers: false });

test.each([
  ['sandbox', server],
  ['production', production],
] as const)(
  '%s: each setting and limit of a new Tenant is the one on the page',
  async (name, one) => {
    const { tenantId } = await createTenant(one.service, { name });
    const { db } = one.service;
    const { limits, ...settings } = (await getSettings({ db, tenantId })) as Settings;
    const shown = rowsOf('Amount limits').map(([key, individual, business]) => [
      plain(key),
      { individual: centsOf(individual), business: centsOf(business) },
    ]);
    expect(Object.fromEntries(shown)).toEqual(limits);
    const values = new Map<string, unknown>(Object.entries(settings));
    const others = rowsOf('Other settings');
    expect(others).toHaveLength(7);
    for (const [key, value] of others)
      expect([key, values.get(plain(key))]).toEqual([key, Number(value)]);
  },
);

test('the rate of the page is that of RateLimit-Limit', async () => {
  const { headers } = await api.call('GET', '/v1/payments/pay_unknown');
  const what = 'requests of a Tenant, unless its settings say otherwise';
  expect(headers.get('ratelimit-limit')).toBe(String(numberOf(rowOf('Rates', what)[1])));
});

test('a body of the size on the page is read, and one byte more is refused', async () => {
  const bytes = numberOf(rowOf('Sizes', 'body of a request')[1]);
  const reasonOf = async (length: number) => {
    const body = `${JSON.stringify({ type: 'individual' })}${' '.repeat(length - 21)}`;
    expect(body).toHaveLength(length);
    const token = await fetchToken(server.baseUrl, facts);
    const reply = await fetch(`${server.baseUrl}/v1/customers`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `k${length}`,
      },
    });
    return ((await reply.json()) as ReplyBody).error;
  };
  expect(await reasonOf(bytes)).toMatchObject({ code: 'parameter_missing' });
  expect(await reasonOf(bytes + 1)).toMatchObject({ code: 'parameter_invalid' });
});

test('sessions, tokens and requests live as long as the page says', async () => {
  const ana = await api.banked('individual');
  const cafe = await api.banked('business');
  const lived = (record: { created_at: string }, end: string) =>
    Math.round((Date.parse(end) - Date.parse(record.created_at)) / 1_000);
  const load = await api.load(ana, 10_00);
  expect(lived(load, load.confirmation_session.expires_at)).toBe(
    secondsOf('session, until it must be opened'),
  );
  const request = await api.request(cafe, 5_00);
  const [, byDefault] = rowOf('Other settings', '`payment_request_expires_in`');
  expect(lived(request, request.expires_at)).toBe(Number(byDefault));
  const form = { grant_type: 'client_credentials', ...facts };
  const { client_id, client_secret, grant_type } = form;
  const reply = await fetch(`${server.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, grant_type }),
  });
  expect(((await reply.json()) as ReplyBody).expires_in).toBe(secondsOf('access token'));
});

test('the columns of the page are those of the file, and OpenAPI has them and the limits', async () => {
  const columns = rowsOf('Columns of the reconciliation file').map(([name]) => plain(name));
  expect(`${columns.join(',')}\n`).toBe(headerOf({ file_has_metadata: true }));
  const { paths } = openApiDocument({ baseUrl: 'http://localhost' }) as never as {
    paths: Record<string, Record<string, { 'x-numbers': Record<string, unknown> }>>;
  };
  const report = paths['/v1/reports/reconciliation']?.get?.['x-numbers'].columns;
  expect((report as { name: string }[]).map(({ name }) => name)).toEqual(columns);
  const { limits } = await api.get('/portal/api/settings');
  expect(paths['/v1/withdrawals']?.post?.['x-numbers'].limits).toEqual({
    withdrawal_per_transaction: limits.withdrawal_per_transaction,
    withdrawal_daily: limits.withdrawal_daily,
  });
});
