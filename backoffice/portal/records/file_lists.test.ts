import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api } = server;
const ana = await api.funded('individual', 50_00);
for (let period = 0; period < 3; period += 1) {
  await api.advance(2 * 86_400);
  await api.simulate('statement.available', ana.accountId);
}

const walk = async (path: string): Promise<ReplyBody[]> => {
  const found: ReplyBody[] = [];
  for (let cursor = ''; ; ) {
    const body = await api.get(`${path}?limit=1${cursor}`);
    found.push(...body.data);
    if (!body.has_more) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
};

test('every statement is listed, newest first, page by page, as the API lists it', async () => {
  const path = '/portal/api/statements';
  const { data } = await api.get(`${path}?limit=100`);
  const ofApi = await api.get(`/v1/accounts/${ana.accountId}/statements?limit=100`);
  const plain = ({ download_url: _, download_url_expires_at: __, ...rest }: ReplyBody) => rest;
  expect(data.map(plain)).toEqual(ofApi.data.map(plain));
  expect(data).toHaveLength(3);
  expect((await walk(path)).map(plain)).toEqual(data.map(plain));
});

test('every report is listed, newest first, page by page, as the API shows it', async () => {
  const path = '/portal/api/reconciliation-reports';
  const { data } = await api.get(`${path}?limit=100`);
  const days = data.map(({ date }: ReplyBody) => date);
  expect(days.length).toBeGreaterThan(3);
  expect(days).toEqual(days.toSorted().reverse());
  expect((await walk(path)).map(({ date }) => date)).toEqual(days);
  const { file: _, ...one } = await api.get(`/v1/reports/reconciliation?date=${days[0]}`);
  expect(data[0]).toMatchObject(one);
});

test('each row has a fresh address that opens its file', async () => {
  for (const [path, addressOf] of [
    ['/portal/api/statements', (row: ReplyBody) => row.download_url],
    ['/portal/api/reconciliation-reports', (row: ReplyBody) => row.file.download_url],
  ] as const) {
    const [row] = (await api.get(path)).data;
    const { pathname } = new URL(addressOf(row));
    expect((await fetch(`${server.baseUrl}${pathname}`)).status).toBe(200);
  }
});

test.each(['statements', 'reconciliation-reports'])(
  "another tenant's %s are not listed, and its cursors not taken",
  async (name) => {
    const { token } = await server.anotherTenant();
    const { next_cursor } = await api.get(`/portal/api/${name}?limit=1`);
    const path = `/portal/api/${name}`;
    expect((await server.call('GET', path, { token })).body.data).toEqual([]);
    const refused = await server.call('GET', `${path}?limit=1&cursor=${next_cursor}`, { token });
    expect(refused.body.error).toMatchObject({ code: 'parameter_invalid', param: 'cursor' });
  },
);
