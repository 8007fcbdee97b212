import { gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { openPacked, takesGzip } from './packed.ts';

const file = Buffer.from('const one = 1;\n'.repeat(1_000));
const app = fastify();
const send = openPacked();
app.get('/', (_request, reply) => send(reply, 'one.js', file));
afterAll(() => app.close());
const ask = (headers: Record<string, string>) => app.inject({ url: '/', headers });

test('whoever takes gzip gets the file packed, and whoever does not gets it as it is', async () => {
  for (let time = 0; time < 2; time += 1) {
    const packed = await ask({ 'accept-encoding': 'gzip, deflate, br' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(packed.rawPayload)).toEqual(file);
    expect(packed.rawPayload.length).toBeLessThan(file.length / 10);
  }
  const plain = await ask({});
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.rawPayload).toEqual(file);
  expect(plain.headers.vary).toBe('accept-encoding');
});

test.each([
  ['gzip', true],
  ['br;q=1.0, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['identity, *;q=0', false],
  ['', false],
])('of accept-encoding "%s" gzip is taken: %s', (accepted, isTaken) => {
  expect(takesGzip(accepted)).toBe(isTaken);
});
