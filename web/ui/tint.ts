import { contrast } from '@tenant-payments/contract/core/contrast.ts';

/** The dark surface behind brand text, and the contrast that the text needs on it. */
export const darkSurface = '#1b1e24';
const wanted = 6;

const channels = (color: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const mixed = (color: string, white: number): string =>
  `#${channels(color)
    .map((value) => Math.round(value + (255 - value) * white))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;

/**
 * A Tenant's color, readable on white, made light enough for the dark surface. The same contrast
 * holds for dark text on a button of that color.
 * @param color `#rrggbb`
 */
export function darkTint(color: string): string {
  for (let percent = 0; percent <= 100; percent += 2) {
    const tint = mixed(color, percent / 100);
    if (contrast(tint, darkSurface) >= wanted) return tint;
  }
  return '#ffffff';
}
