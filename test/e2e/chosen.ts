import { choicesOf, seedOf } from '../kit/seed.ts';

/** `ALL_STATES=1` proves each state in every language and in both color schemes. */
export const isWhole = process.env.ALL_STATES === '1';

/** The seed that chooses; a test names it, so that a failure can be repeated. */
export const seed = seedOf(process.env);

/** The two schemes in which a page is drawn. */
export const schemes = ['light', 'dark'] as const;

/** All of them, or without `ALL_STATES=1` the one that the seed chooses for this place. */
export const chosenOf = <T>(all: readonly T[], place: string): readonly T[] =>
  isWhole ? all : [choicesOf(seed, place).pick(all)];
