import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../service/http/listen.ts';
import { openShopFront } from './shop.ts';

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** Whoever is let in is led to the shop's page; all others meet the service, which has no such path. */
const facts = {
  base_url: 'http://127.0.0.1:9',
  client_id: 'cl_x',
  client_secret: 'cs_x',
  webhook_secret: 'whsec_x',
  portal_url: '',
  portal_sign_in_url: null,
  shop_url: 'http://127.0.0.1:9/shop',
  docs_url: '',
};
const log = pino({ level: 'silent' });
const fronts = [false, true].map((forAll) => openShopFront(log, { forAll }));
const listeners = await Promise.all(
  fronts.map(async (front) => {
    const listener = await listen(['127.0.0.1', ...(outside ? [outside] : [])], 0);
    listener.use(front.inFrontOf((_request, response) => response.writeHead(404).end()));
    front.open(facts);
    return listener;
  }),
);
afterAll(async () => {
  for (const front of fronts) front.close();
  await Promise.all(listeners.map((listener) => listener.close(1_000)));
});

const [forHere = 0, forAll = 0] = listeners.map(({ port }) => port);

/** The status of the shop's page. `fetch` sends no Host of one's own. */
const shopAt = (port: number, address = '127.0.0.1', headers: Record<string, string> = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    get({ host: address, port, path: '/shop', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

it('the shop answers the machine it runs on', async () => {
  expect(await shopAt(forHere)).toBe(302);
  expect(await shopAt(forHere, '127.0.0.1', { host: `localhost:${forHere}` })).toBe(302);
});

it.skipIf(!outside)('the shop answers no other machine, unless it is told to', async () => {
  expect(await shopAt(forHere, outside)).toBe(404);
  expect(await shopAt(forHere, outside, { host: '127.0.0.1' })).toBe(404);
  expect(await shopAt(forAll, outside)).toBe(302);
});

it.each([
  ['a proxy passes on', { 'x-forwarded-for': '203.0.113.9' }],
  ['a proxy passes on by the standard', { forwarded: 'for=203.0.113.9' }],
  ['a foreign page sends to its own name', { host: 'evil.example' }],
  ['a foreign page sends to a name like loopback', { host: '127.0.0.1.evil.example' }],
])('the shop answers no request that %s, unless it is told to', async (_, headers) => {
  expect(await shopAt(forHere, '127.0.0.1', headers)).toBe(404);
  expect(await shopAt(forAll, '127.0.0.1', headers)).toBe(302);
});
