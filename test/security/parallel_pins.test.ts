import { expect, test } from 'vitest';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import { openServer } from '../kit/server.ts';
import { until } from '../kit/wait.ts';

const lines: string[] = [];
const server = await openServer({ manual: true, onLog: (line) => lines.push(line) });
const { api } = server;
const pages = openHostedPages(server);
const [ana, ben] = [await api.banked('individual'), await api.banked('individual')];
await pages.givePins();

test('of 500 wrong PINs at once five are compared and one locks, while others are served', async () => {
  // A page may ask 240 times a minute, so they come through three.
  const three = [await pages.load(ana), await pages.load(ana), await pages.load(ana)];
  const attempt = (index: number, given: string) =>
    three[index % 3]?.ask('/confirm/pin', { pin: given });
  const bens = await pages.load(ben);
  const tries = Array.from({ length: 500 }, (_, index) => attempt(index, '111222'));
  const others = bens.ask('/confirm/pin', { pin });
  const replies = await Promise.all([...tries, others]);
  // Within its 9 s each has its answer, or 503.
  for (const reply of replies) expect([200, 503]).toContain(reply?.status);
  const compared = replies.filter((reply) => reply?.body.verdict === 'wrong');
  expect(compared.length).toBeLessThanOrEqual(4);
  const statusOf = async ({ id }: { id: string }) => (await api.get(`/v1/loads/${id}`)).status;
  await until(async () => (await statusOf(bens)) === 'processing', { what: "Ben's confirmation" });

  const right = await Promise.all(Array.from({ length: 20 }, (_, index) => attempt(index, pin)));
  expect(new Set(right.map((reply) => reply?.body.verdict))).toEqual(new Set(['locked']));
  for (const page of three) if (page) expect(await statusOf(page)).toBe('requires_confirmation');
  const { data } = await api.get('/v1/webhook-events?type=customer.updated&limit=100');
  const locks = data.filter(
    ({ data: { object } }: { data: { object: { id: string; pin_locked: boolean } } }) =>
      object.id === ana.customerId && object.pin_locked,
  );
  expect(locks).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"security":"pin_locked"'))).toHaveLength(1);
});
