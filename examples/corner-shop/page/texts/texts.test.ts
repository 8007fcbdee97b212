import { expect, test } from 'vitest';
import { readAmount } from '../amount.ts';
import { refusalText } from '../refusal.ts';
import { en } from './en.ts';
import { es } from './es.ts';

/** Every text of a table by its path, as it reads with sample facts. */
function* textsOf(value: unknown, path: string): Generator<[string, string]> {
  const facts = { maximum: '$5.00', left: '$2.00', until: 'noon' };
  if (typeof value === 'function')
    yield [path, String(value.length === 1 && /limits\./.test(path) ? value(facts) : value(7, 8))];
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* textsOf(inner, `${path}.${name}`);
  else yield [path, String(value)];
}

/** Alike in both languages, because they are names. */
const same = /\.(ok|number|inspector|signature|supplier|down\.0|minutes|hours|language)$|\.words\./;

test('every text of the shop is there in both languages, and none was left in English', () => {
  const spanish = new Map(textsOf(es, ''));
  for (const [path, text] of textsOf(en, '')) {
    expect([path, spanish.get(path)]).toEqual([path, expect.stringMatching(/\S/)]);
    if (!same.test(path) && /[a-z]{4} [a-z]{3}/.test(text))
      expect(spanish.get(path), path).not.toBe(text);
  }
});

const refusal = (code: string, details: object = {}, texts = en) =>
  refusalText({ code, details, message: `${code}: no` }, texts, () => 'noon', 'pay');

test('a refusal says what the reader can do, with the figures of the service', () => {
  const daily = { limit: 'load_daily', maximum: 500_00, used: 450_00, resets_at: 'x' };
  expect(refusal('limit_exceeded', daily)).toBe(
    'Your limit is $500.00 a day, and $50.00 of it is left. Add that or less, or wait until noon.',
  );
  expect(refusal('limit_exceeded', daily, es)).toContain('Su límite es de $500.00 al día');
  expect(refusal('limit_exceeded', { limit: 'new_one' })).toBe(en.refusals.limit);
  expect(refusal('insufficient_funds', { available: 12_00 })).toBe(
    'There is only $12.00 in the wallet. Add money, or pay from your bank.',
  );
  expect(refusal('payment_request_invalid', { reason: 'canceled' })).toContain('canceled');
  expect(refusal('teapot')).toBe('no');
});

test('what each field refuses is explained in both languages', () => {
  for (const typed of ['20,5', 'twenty', '1.234', '0']) {
    const { fault } = readAmount(typed);
    for (const { amount } of [en, es]) expect(fault && amount[fault]).toMatch(/\.$/);
  }
});
