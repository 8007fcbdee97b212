import { contrast } from '@tenant-payments/contract/core/contrast.ts';

/** The dark surface behind brand text, and the contrast that the text needs on it. */
export const darkSurface = '#1b1e24';
const wanted = 6;

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const mixed = (colour: string, white: number): string =>
  `#${channels(colour)
    .map((value) => Math.round(value + (255 - value) * white))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;

/**
 * A Tenant's colour, readable on white, made light enough for the dark surface. The same contrast
 * holds for dark text on a button of that colour.
 * @param colour `#rrggbb`
 */
export function darkTint(colour: string): string {
  for (let percent = 0; percent <= 100; percent += 2) {
    const tint = mixed(colour, percent / 100);
    if (contrast(tint, darkSurface) >= wanted) return tint;
  }
  return '#ffffff';
}
