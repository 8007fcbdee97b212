import { expect, test } from 'vitest';
import { inOrder, isolated } from './isolated.ts';

test('a text from right to left moves nothing of the sentence around it, and others stay as they are', () => {
  expect(isolated('مخبز الشام')).toBe('\u2068مخبز الشام\u2069');
  for (const text of ['Corner Shop', 'Łukasiewicz', '寿司屋', ''])
    expect(isolated(text)).toBe(text);
});

test('a control that turns the order of a text is not shown', () => {
  expect(inOrder('Order \u202e00.001$ latot\u202c ok')).toBe('Order 00.001$ latot ok');
  expect(isolated('Evil\u202e moc.knab')).toBe('Evil moc.knab');
});
