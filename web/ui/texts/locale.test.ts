import { expect, test } from 'vitest';
import { localeOf } from './locale.ts';

test.each([
  [['es-MX', 'en'], 'es'],
  [[null, 'fr-FR', 'es'], 'es'],
  [['en-GB'], 'en'],
  [['fr', 'de'], 'en'],
  [[], 'en'],
])('of the wishes %j the language is %s', (wishes, locale) => {
  expect(localeOf(wishes)).toBe(locale);
});
