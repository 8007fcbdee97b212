import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true, tenant: { sample: true } });
const { api } = server;
const path = '/portal/api/reconciliation-reports';

test('a day ties to the ledger, figure by figure, and its file can be fetched', async () => {
  const { now } = await api.get('/portal/api/clock');
  const date = now.slice(0, 10);
  await api.funded('individual', 75_00);
  await api.advance(2 * 86_400);
  const day = await api.get(`${path}/${date}`);
  expect(day.ties).toBe(true);
  expect(day.report).toMatchObject({ date, closing_balance: 75_00, totals: { loads: 75_00 } });
  const figure = (name: string) => day.figures.find((one: ReplyBody) => one.name === name);
  expect(figure('loads')).toEqual({ name: 'loads', reported: 75_00, ledger: 75_00 });
  expect(figure('closing_balance').ledger).toBe(75_00);
  const file = await fetch(day.report.file.download_url);
  expect(await file.text()).toMatch(/^posting_id,/);
});

test('a report that says something else does not tie, and the difference is named', async () => {
  const { data } = await api.get(path);
  const { date } = data.at(-1);
  const change = (by: number) =>
    server.owner.query(
      'update reconciliation_reports set loads = loads + $2 where tenant_id = $1 and day = $3',
      [server.tenant.tenantId, by, date],
    );
  await change(1);
  const day = await api.get(`${path}/${date}`);
  expect(day.ties).toBe(false);
  expect(
    day.figures
      .filter(({ reported, ledger }: ReplyBody) => reported !== ledger)
      .map(({ name }: ReplyBody) => name),
  ).toEqual(['loads']);
  await change(-1);
});

test('a day without a report says why, and one of another Tenant is not found', async () => {
  const { status, body } = await server.call('GET', `${path}/2031-01-01`, { token: server.token });
  expect([status, body.error.details.reason]).toEqual([404, 'not_yet_available']);
  const wrong = await server.call('GET', `${path}/yesterday`, { token: server.token });
  expect(wrong.status).toBe(400);
});
