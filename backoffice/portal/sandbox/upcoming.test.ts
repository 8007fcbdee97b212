import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api } = server;
const upcoming = async (token = server.token): Promise<ReplyBody[]> =>
  (await server.call('GET', '/portal/api/clock/upcoming', { token })).body.data;

test('what an advance would run is listed with its record and its time, and then it has run', async () => {
  const shop = await api.approved('business');
  const request = await api.request(shop, 5_00);
  const found = (await upcoming()).find(({ record_id }) => record_id === request.id);
  expect(found).toEqual({
    kind: 'job',
    name: 'payment_request_expiry',
    does: 'expires an open request',
    record_id: request.id,
    at: request.expires_at,
  });
  await api.advance(request.expires_at);
  expect((await upcoming()).map(({ record_id }) => record_id)).not.toContain(request.id);
});

test('an attempt that is due again is among them, in the order of time', async () => {
  await api.put('/portal/api/webhook-endpoint', { url: 'http://127.0.0.1:9/hooks' });
  const { event_id } = await api.post('/portal/api/webhook-endpoint/test', {});
  const rows = await upcoming();
  expect(rows.find(({ record_id }) => record_id === event_id)).toMatchObject({
    kind: 'delivery',
    name: 'attempt',
  });
  const times = rows.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
});

test("another tenant's jobs are not among them", async () => {
  const other = await server.anotherTenant({ calendar: false });
  expect(await upcoming(other.token)).toEqual([]);
});
