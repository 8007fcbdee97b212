import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({
  workers: false,
  // A Friday afternoon in New York, before a Monday on which the Reserve Banks are closed.
  realNow: () => Date.parse('2026-10-09T19:00:00.000Z'),
});
const { api } = server;

async function jumps(): Promise<Record<string, string | null>> {
  const { data } = await api.get('/portal/api/clock/jumps');
  return Object.fromEntries(data.map(({ name, at }: ReplyBody) => [name, at]));
}

test('a business day begins at 06:00 in New York, after weekend and holiday, and a month on its 1st', async () => {
  expect(await jumps()).toMatchObject({
    next_retry: null,
    business_day: '2026-10-13T10:00:00.000Z',
    // Summer time has ended on that morning.
    month_end: '2026-11-01T11:00:00.000Z',
  });
});

test('the next retry and the next job are those that an advance would come to first', async () => {
  await api.put('/portal/api/webhook-endpoint', { url: 'http://127.0.0.1:9/hooks' });
  await api.post('/portal/api/webhook-endpoint/test', {});
  const { data } = await api.get('/portal/api/clock/upcoming');
  const found = await jumps();
  expect(found.next_due).toBe(data[0].at);
  expect(found.next_retry).toBe(data.find(({ kind }: ReplyBody) => kind === 'delivery').at);
  await api.advance(found.next_retry ?? '');
  expect((await api.get('/portal/api/clock')).now).toBe(found.next_retry);
});
