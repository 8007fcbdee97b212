import { expect, it } from 'vitest';
import type { Reply } from '../../../test/kit/http/http.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';

/** Each request says from which address it comes, as through a proxy. */
const server = await openServer({
  workers: false,
  alone: true,
  config: { trustedProxies: ['127.0.0.0/8'] },
});

let made = 0;
/** An address of a network that no request came from yet. */
function newAddress(): string {
  made += 1;
  return `2001:db8:0:${made.toString(16)}::1`;
}

type Client = Pick<TestTenant, 'client_id' | 'client_secret'>;
const ask = ({ client_id, client_secret }: Client, address: string) =>
  server.call('POST', '/oauth/token', {
    token: null,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
    }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': address,
    },
  });

const wrong = ({ client_id }: Client): Client => ({ client_id, client_secret: 'cs_wrong' });
const shown = ({ status, headers }: Reply) => [
  status,
  Number(headers.get('ratelimit-limit')),
  Number(headers.get('ratelimit-remaining')),
];

/** Fails with one client from one address until it is refused. @returns how often it was let try */
async function failFrom(client: Client, address: string): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { status } = await ask(wrong(client), address);
    if (status === 429) return tries;
  }
}

it('never refuses a right secret because of wrong ones from other addresses', async () => {
  const client = await server.anotherTenant();
  for (let attackers = 0; attackers < 3; attackers += 1) await failFrom(client, newAddress());
  const address = newAddress();
  for (let times = 1; times <= 40; times += 1)
    expect(shown(await ask(client, address))).toEqual([200, 600, 600 - times - 1]);
});

it('allows an address thirty wrong secrets a minute, whichever clients they name', async () => {
  const [first, second] = [await server.anotherTenant(), await server.anotherTenant()];
  const address = newAddress();
  for (let times = 1; times <= 15; times += 1) {
    await ask(wrong(first), address);
    expect(shown(await ask(wrong(second), address))).toEqual([401, 30, 30 - 2 * times]);
  }
  const refused = await ask(wrong(second), address);
  expect([...shown(refused), refused.body.error.code]).toEqual([429, 30, 0, 'rate_limited']);
  expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
  expect((await ask(second, address)).status).toBe(429);
  // Every address of its network counts as one.
  expect((await ask(second, address.replace(/1$/, 'abcd:1'))).status).toBe(429);
  expect((await ask(second, newAddress())).status).toBe(200);
});

it('allows a client thirty wrong secrets a minute, from whichever addresses they come', async () => {
  const client = await server.anotherTenant();
  for (let times = 1; times <= 29; times += 1)
    expect((await ask(wrong(client), newAddress())).status).toBe(401);
  const address = newAddress();
  expect((await ask(wrong(client), address)).status).toBe(401);
  const refused = await ask(client, address);
  expect(shown(refused)).toEqual([429, 30, 0]);
  expect((await ask(wrong(client), newAddress())).status).toBe(429);
  expect((await ask(client, newAddress())).status).toBe(200);
});

it('gives a client 600 tokens a minute', async () => {
  const client = await server.anotherTenant();
  const address = newAddress();
  const statuses: number[] = [];
  for (let rounds = 0; rounds < 15; rounds += 1) {
    const replies = await Promise.all(Array.from({ length: 41 }, () => ask(client, address)));
    statuses.push(...replies.map(({ status }) => status));
  }
  // The first of the 600 was the kit's own.
  expect(statuses.filter((status) => status === 200)).toHaveLength(599);
  expect(shown(await ask(client, address))).toEqual([429, 600, 0]);
  expect((await ask(await server.anotherTenant(), address)).status).toBe(200);
});

it('counts ids that no client can have as one, and lets them shut nobody out', async () => {
  const nobody = { client_id: 'nobody', client_secret: 'cs_wrong' };
  const tried = await failFrom(nobody, newAddress());
  expect(tried).toBe(30);
  expect((await ask({ ...nobody, client_id: 'x'.repeat(50) }, newAddress())).status).toBe(429);
  expect((await ask(server.tenant, newAddress())).status).toBe(200);
});
