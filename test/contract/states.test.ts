import { afterAll, expect, test } from 'vitest';
import { fetchToken } from '../kit/http.ts';
import { openServer, startTestServer } from '../kit/server.ts';
import { alsoPlayed } from './also.ts';
import { playCast } from './cast.ts';
import { checkCodes } from './codes.ts';
import { digestOf } from './digest.ts';
import { checkEvents, openCollector } from './events.ts';
import { checkMoves } from './moves.ts';
import { playScenario } from './scenario.ts';
import { openSender } from './send.ts';
import { openWorld } from './world.ts';

const rateLimit = 10_000_000;
/** So many tokens a production gives within a minute (decisions 1.8, Rates). */
const productionTokens = 30;

const server = await openServer({ tenant: { rateLimit }, workers: false });
const sender = openSender(server.baseUrl);
const w = await openWorld(server.baseUrl, server.token);
const collector = openCollector(w);
afterAll(async () => {
  await sender.close();
});

test('each move is refused from each state that no row allows it from, and made from the others', async () => {
  const digest = () => digestOf(server.service.pool);
  const figures = await checkMoves({ w, all: sender.all, digest });
  expect(figures.violations, figures.violations.join('\n')).toEqual([]);
  expect(figures.refused).toBeGreaterThan(280);
}, 120_000);

test('what follows other moves happens too', async () => {
  await sender.all(alsoPlayed, async (play) => void (await play(w)));
  await collector.collect();
});

test('each code that an operation lists is told, with its param and its details', async () => {
  const spent = await server.anotherTenant({ rateLimit: 1 });
  const spend = () => server.call('GET', '/v1/payments/pay_x', { token: spent.token });
  const production = await startTestServer({ environment: 'production', workers: false });
  const asked = openSender(production.baseUrl);
  const credentials = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'cl_unknown',
    client_secret: 'cs_none',
  });
  const askForToken = () =>
    fetch(`${production.baseUrl}/oauth/token`, { method: 'POST', body: credentials });
  const figures = await checkCodes({
    cast: await playCast(w),
    scenario: await playScenario(server.baseUrl, await fetchToken(server.baseUrl, server.tenant)),
    sender,
    spent: { token: spent.token, spend },
    production: {
      sender: asked,
      token: production.token,
      spend: () => Promise.all(Array.from({ length: productionTokens }, askForToken)),
    },
  });
  await asked.close();
  await production.stop();
  expect(figures.violations, figures.violations.join('\n')).toEqual([]);
  expect(figures.untried).toEqual([]);
}, 120_000);

test('each event is what the contract says of its type, each type occurs, and each row of the tables', async () => {
  await collector.collect();
  const figures = checkEvents(collector.events.values());
  expect(figures.violations, figures.violations.join('\n')).toEqual([]);
});
