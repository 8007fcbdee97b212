import {
  personalFields,
  secretFields,
  secretFieldsOfPages,
} from '@tenant-payments/contract/catalog.ts';
import { openMarkedSecrets } from '@tenant-payments/engine/marked_secrets.ts';
import { expect, it } from 'vitest';
import { redactedJson, redactedTarget, redactedText, redactedValue } from './redact.ts';

const tenantId = '01980000-0000-7000-8000-000000000000';
const secret = openMarkedSecrets(Buffer.alloc(32)).newSecret(tenantId, 'st');
const clientSecret = `cs_${'aB3-_'.repeat(9)}`;

it('hides every secret and personal field, however deep and however its name is written', () => {
  const names = [...secretFields, ...secretFieldsOfPages, ...personalFields];
  for (const name of [...names, 'clientSecret', 'First-Name']) {
    const value = { a: [{ b: { [name]: 'canary', kept: 'kept' } }], [name]: ['canary'] };
    for (const shown of [redactedJson(value), JSON.stringify(redactedValue(value, true))]) {
      expect(shown, name).not.toContain('canary');
      expect(JSON.parse(shown)).toMatchObject({ a: [{ b: { kept: 'kept' } }] });
    }
  }
});

it('keeps the null of a hidden field, and all that is neither', () => {
  const value = { token: null, id: 'pay_1', amount: 5, list: [], none: {}, yes: true, text: 'ok' };
  expect(JSON.parse(redactedJson(value))).toEqual(value);
  expect(redactedJson(null)).toBe('null');
  expect(redactedJson([])).toBe('[]');
});

it.each([
  ['a session token', secret],
  ['a token after other characters', `1.${secret}`],
  ['a client secret', clientSecret],
  ['a result token of the sandbox', `rt_test_ses_${'0a'.repeat(16)}`],
  ['a secret of a kind that is not known here', `later_${'x'.repeat(43)}`],
  ['a public token', 'public-sandbox-standard'],
  ['an address', 'José.Reyes+x@example.com'],
  ['a number', '+12025550101'],
  ['a number in groups', '+1 (202) 555-0101'],
])('hides %s in every place', (_, canary) => {
  for (const shown of [
    redactedText(canary),
    redactedText(`not valid: ${canary}, said "${canary}"`),
    redactedJson({ external_ref: canary, [canary]: 1 }),
    redactedTarget(`/v1/payments/${canary}?cursor=${canary}&${canary}`),
    redactedTarget(
      `/v1/payments/${encodeURIComponent(canary)}?cursor=${encodeURIComponent(canary)}`,
    ),
  ])
    expect(shown).not.toContain(canary.slice(3));
});

it('leaves ids, instants and references as they are', () => {
  for (const text of [
    `payment_request_${'0'.repeat(4)}`,
    `load_${'0a'.repeat(16)}`,
    '01980000-0000-7000-8000-000000000000',
    '2026-01-20T15:00:00.000Z',
    'order 12025550101 of 2026-01-20',
    'amount is not valid: below_minimum',
  ])
    expect(redactedText(text)).toBe(text);
});

it('keeps a target as it was sent, without the values of hidden fields', () => {
  expect(redactedTarget('/v1/customers?external_ref=a%20b&limit=5')).toBe(
    '/v1/customers?external_ref=a%20b&limit=5',
  );
  expect(redactedTarget('/oauth/token?client_secret=short&access%5Ftoken=x&a=%zz')).toBe(
    '/oauth/token?client_secret=[redacted]&access%5Ftoken=[redacted]&a=%zz',
  );
});

it('hides secrets also when they are percent-encoded or cut in the middle', () => {
  const hiddenByEscapes = [...secret].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
  expect(redactedTarget(`/v1/payments/${hiddenByEscapes}`)).toBe('/v1/payments/[redacted]');
  for (let before = 1_900; before < 2_100; before += 1) {
    const shown = redactedText(`${'x'.repeat(before)} ${secret}`);
    expect(shown).not.toMatch(/st_\w/);
  }
  for (let before = 16_000; before < 16_500; before += 7) {
    const shown = redactedJson({ texts: Array(8).fill('y'.repeat(before / 8)), last: secret });
    expect(shown).not.toMatch(/st_\w/);
  }
});

it('keeps 16 kB of a body and 2 kB of a text', () => {
  expect(redactedText('x'.repeat(60_000))).toBe(`${'x'.repeat(2_048)}…`);
  expect(redactedJson(Array(30_000).fill('x'))).toHaveLength(16_384);
  expect(redactedTarget(`/v1/${'x/'.repeat(9_000)}`)).toHaveLength(2_048);
});

it('survives JSON that is nested ten thousand levels deep', () => {
  const nested = JSON.parse(`${'['.repeat(32_000)}${']'.repeat(32_000)}`);
  expect(redactedJson({ nested })).toContain('[nested too deeply]');
});
