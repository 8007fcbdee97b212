import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openProvider } from '../../../test/kit/sign_on/provider.ts';
import { openProviders } from './provider.ts';
import { providerOf } from './providers.ts';

const server = await openServer({ own: true, workers: false });
const { tenantId } = server.tenant;
const owner = await portalPerson(server, tenantId, ['owner']);
const put = async (issuer: string) =>
  refusalLine(
    await owner.ask('PUT', '/single-sign-on', { issuer, client_id: 'c', client_secret: 's' }),
  );

let reply: (response: ServerResponse, issuer: string) => void = () => {};
let asked: string[] = [];
const lying = createServer((request, response) => {
  asked.push(request.url ?? '');
  reply(response, issuer);
});
lying.listen(0, '127.0.0.1');
await once(lying, 'listening');
afterAll(() => void lying.close().closeAllConnections());
const issuer = `http://127.0.0.1:${(lying.address() as AddressInfo).port}`;

const document = {
  issuer,
  authorization_endpoint: `${issuer}/a`,
  token_endpoint: `${issuer}/t`,
  jwks_uri: `${issuer}/j`,
  response_types_supported: ['code'],
};
const says = (changes: object) => {
  reply = (response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ ...document, ...changes }));
};

test.each([
  ['another issuer', { issuer: 'https://other.example' }, 'not_discovered'],
  ['no code flow', { response_types_supported: ['id_token'] }, 'no_code_flow'],
  ['no token endpoint', { token_endpoint: undefined }, 'no_code_flow'],
  ['PKCE in clear text alone', { code_challenge_methods_supported: ['plain'] }, 'no_pkce'],
  ['keys in the private network', { jwks_uri: 'https://10.0.0.1/j' }, 'address'],
  ['tokens at the metadata address', { token_endpoint: 'https://169.254.169.254/' }, 'address'],
  ['a sign-in page that is a script', { authorization_endpoint: 'javascript:x' }, 'address'],
])('an issuer whose document has %s is refused', async (_what, changes, reason) => {
  says(changes);
  expect(await put(issuer)).toBe(`parameter_invalid ${reason}`);
});

test('a discovery that leads elsewhere is not followed', async () => {
  asked = [];
  reply = (response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end();
  expect(await put(issuer)).toBe('parameter_invalid not_discovered');
  expect(asked).toEqual(['/.well-known/openid-configuration']);
});

test('an issuer that answers too slowly, not at all, or without JSON is refused', async () => {
  reply = () => {};
  const started = performance.now();
  expect(await put(issuer)).toBe('parameter_invalid unreachable');
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(await put('http://127.0.0.1:9')).toBe('parameter_invalid unreachable');
  reply = (response) => response.end('<html>');
  expect(await put(issuer)).toBe('parameter_invalid not_discovered');
});

test.each([
  ['https://10.0.0.1', 'address'],
  ['http://shop.example', 'scheme'],
  ['https://user@shop.example', 'credentials'],
  ['https://shop.example/?x=1', 'malformed'],
  ['shop', 'malformed'],
])('%s is no address of an issuer', async (given, reason) => {
  expect(await put(given)).toBe(`parameter_invalid ${reason}`);
});

test('in production no issuer is asked at loopback or without TLS', async () => {
  const providers = openProviders({ environment: 'production' });
  afterAll(() => providers.close());
  const client = { clientId: 'c', clientSecret: 's' };
  for (const given of [issuer, issuer.replace('http:', 'https:'), 'https://localhost'])
    await expect(providers.read({ ...client, issuer: given })).rejects.toMatchObject({
      failure: 'address',
    });
});

test('the client secret is stored sealed, never shown, and kept for the same client alone', async () => {
  const provider = await openProvider();
  const body = { issuer: provider.issuer, client_id: 'ours' };
  const set = (more: object) => owner.ask('PUT', '/single-sign-on', { ...body, ...more });
  expect(refusalLine(await set({}))).toBe('parameter_missing client_secret');
  const made = await set({ client_secret: provider.secret });
  expect(JSON.stringify(made.body)).not.toContain(provider.secret);
  const row = await providerOf(server.service.pool, tenantId);
  expect(row?.client_secret_sealed).toMatch(/^s1\.test\./);
  expect(refusalLine(await set({}))).toBe('200');
  expect(refusalLine(await set({ client_id: 'another' }))).toBe('parameter_missing client_secret');
});
