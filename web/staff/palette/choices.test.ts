import { expect, test } from 'vitest';
import { isMeant } from './choices.ts';

test.each([
  ['rot sec', 'Rotate the webhook secret', true],
  ['SECRET rotate', 'Rotate the webhook secret', true],
  ['otate', 'Rotate the webhook secret', false],
  ['secret payment', 'Rotate the webhook secret', false],
  [' ', 'Rotate the webhook secret', false],
  ['api-k', 'Make an API key', true],
] as const)('“%s” means “%s”: %s', (asked, text, expected) => {
  expect(isMeant(asked, text)).toBe(expected);
});
