import { contrast, leastContrast } from '@tenant-payments/contract/core/contrast.ts';
import { expect, test } from 'vitest';
import { darkSurface, darkTint } from './tint.ts';

/** Of one run: printed when it fails, so that it can be run again. */
const seed = Date.now() % 1_000_000;

function colors(count: number): readonly string[] {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 16_777_216;
  };
  return Array.from({ length: count }, () => `#${next().toString(16).padStart(6, '0')}`);
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
