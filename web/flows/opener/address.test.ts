import { expect, test } from 'vitest';
import { addressOf, kindOf, readAddress, returnAddress, returnUrlOf } from './address.ts';

const tenant = '01a1ff41a8e670008df7b225b8dc656b';
const token = `st_${Buffer.from(`${tenant}${'ab'.repeat(32)}`, 'hex').toString('base64url')}`;

test.each([
  [`/hosted/${tenant}`, `#${token}`, { tenant, token }],
  [`/hosted/${tenant}/owner`, '#ol_x', { tenant, token: 'ol_x' }],
  [`/hosted/${tenant}`, '', { tenant, token: null }],
  ['/hosted', `#${token}`, { tenant: null, token }],
  [`/hosted/${tenant.toUpperCase()}`, '', { tenant: null, token: null }],
])('%s%s is read', (path, fragment, found) => {
  expect(readAddress(path, fragment)).toEqual(found);
});

test('the token decides which page opens, and of those of Plaid the path', () => {
  expect(kindOf(token)).toBe('flow');
  expect(kindOf('ol_abc')).toBe('owner');
  expect(kindOf('link-sandbox_abc')).toBe('bank');
  expect(kindOf('link-sandbox-abc', `/hosted/${tenant}/identity`)).toBe('identity');
  expect(kindOf(token, `/hosted/${tenant}/identity`)).toBe('flow');
});

test('a token without a tenant in the path is redirected to its tenant, in the fragment only', () => {
  expect(addressOf(token)).toBe(`/hosted/${tenant}#${token}`);
  expect(addressOf('st_short')).toBeNull();
});

test.each([
  ['https://shop.example/done?order=7', true],
  ['http://localhost:8080/done', true],
  ['com.example.shop:/done', true],
  ['javascript:canary()', false],
  [' JaVa\nScRiPt:canary()', false],
  ['\u0001javascript://shop.example/%0Acanary()', false],
  ['data:text/html,<script>canary()</script>', false],
  ['vbscript:canary()', false],
  ['blob:https://shop.example/6a2f', false],
  ['filesystem:https://shop.example/x', false],
  ['//shop.example/done', false],
  ['<img src=x onerror=canary()>', false],
])('a customer is sent back to %j: %s', (return_url, isFollowed) => {
  expect(returnUrlOf({ return_url })).toBe(isFollowed ? return_url : null);
});

test('a result goes back in the fragment, which no server is sent, and keeps the query', () => {
  const facts = { result_token: 'rt_1', status: 'completed', session_id: 'ses_1', flow: 'f' };
  const back = new URL(
    returnAddress('https://shop.example/done?order=7#old', { ...facts, error: null }),
  );
  expect(back.search).toBe('?order=7');
  expect(Object.fromEntries(new URLSearchParams(back.hash.slice(1)))).toEqual(facts);
});
