import { expect, test } from 'vitest';
import { isCostlyMarkdown } from './markdown_cost.ts';

const longest = 150_000;
const filled = (unit: string) => unit.repeat(longest / unit.length);

test.each(['>', '> ', '- ', '1. ', '_a*b_', '[', '`a', '!', '<', '~~a', '- > '])(
  'a text of %j again and again costs a reader too much',
  (unit) => {
    expect(isCostlyMarkdown(filled(unit))).toBe(true);
  },
);

test('lists within lists are costly where they are too deep', () => {
  const nested = (levels: number) =>
    Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
  expect(isCostlyMarkdown(nested(10))).toBe(false);
  expect(isCostlyMarkdown(nested(40))).toBe(true);
});

test('a legal text of the greatest length is none of these', () => {
  const section = [
    '## 4. Your *rights* (12 CFR 1005.11)',
    '',
    `${'You may **stop** a payment, see [our page](https://example.com/a_b). '.repeat(12)}`,
    '',
    '- one',
    '  - two: `code`',
    '> A notice',
    '',
    `Name: ${'_'.repeat(60)} Date: ${'_'.repeat(30)}`,
    '',
    '| a | b |',
    '|---|---|',
    `${'| 1 | *2* |\n'.repeat(50)}`,
    '',
  ].join('\n');
  expect(isCostlyMarkdown(filled(section))).toBe(false);
});
