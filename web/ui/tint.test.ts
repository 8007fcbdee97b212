import { contrast, leastContrast } from '@tenant-payments/contract/core/contrast.ts';
import { expect, test } from 'vitest';
import { choicesOf, seedOf } from '../../test/kit/seed.ts';
import { darkSurface, darkTint } from './tint.ts';

/** The seed is in the name of the test, so that a failure can be run again. */
const seed = seedOf(process.env);

function colors(count: number): readonly string[] {
  const { below } = choicesOf(seed, 'colors');
  const color = () =>
    `#${below(2 ** 24)
      .toString(16)
      .padStart(6, '0')}`;
  return Array.from({ length: count }, color);
}

test(`every color becomes readable on the dark surface (seed ${seed})`, () => {
  for (const color of ['#000000', '#ffffff', '#1f5eff', '#7a0019', ...colors(2_000)]) {
    const tint = darkTint(color);
    expect(tint).toMatch(/^#[0-9a-f]{6}$/);
    expect([color, contrast(tint, darkSurface) >= leastContrast]).toEqual([color, true]);
  }
});

test('a color that is light enough already stays as it is', () => {
  expect(darkTint('#a9bfff')).toBe('#a9bfff');
});
