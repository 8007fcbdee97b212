import { expect, test } from 'vitest';
import { isolated } from './isolated.ts';

test('a text from right to left moves nothing of the sentence around it, and others stay as they are', () => {
  expect(isolated('مخبز الشام')).toBe('\u2068مخبز الشام\u2069');
  expect(isolated('a\u202eb')).toBe('\u2068a\u202eb\u2069');
  for (const text of ['Corner Shop', 'Łukasiewicz', '寿司屋', ''])
    expect(isolated(text)).toBe(text);
});
