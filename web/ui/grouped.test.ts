import { expect, test } from 'vitest';
import { grouped, regrouped } from './grouped.ts';

const ssn = [3, 2, 4];

test.each([
  ['', ''],
  ['123', '123'],
  ['1234', '123-4'],
  ['123456789', '123-45-6789'],
])('%j is shown as %j', (digits, shown) => {
  expect(grouped(digits, ssn)).toBe(shown);
});

/** `|` is the caret. */
test.each([
  ['', 'insertText', '1|', '1|'],
  ['123', 'insertText', '1234|', '123-4|'],
  ['1234', 'insertText', '19|23-4', '19|2-34'],
  ['123456789', 'insertText', '19|23-45-6789', '19|2-34-5678'],
  ['123', 'insertText', '123x|', '123|'],
  ['', 'insertFromPaste', '123-45-6789|', '123-45-6789|'],
  ['', 'insertFromPaste', ' 123 45 6789|', '123-45-6789|'],
  ['1234', 'deleteContentBackward', '123-|', '123|'],
  ['12345', 'deleteContentBackward', '123|45', '12|4-5'],
  ['12345', 'deleteContentForward', '123|45', '123|-5'],
  ['12345', 'deleteContentBackward', '2|3-45', '2|34-5'],
  ['123456789', 'deleteByCut', '|', '|'],
])('of %j by %s, %j becomes %j', (before, kind, typed, becomes) => {
  const caret = typed.indexOf('|');
  const change = { text: typed.replace('|', ''), caret, kind, before };
  const { shown, caret: place } = regrouped(change, ssn);
  expect(`${shown.slice(0, place)}|${shown.slice(place)}`).toBe(becomes);
});
