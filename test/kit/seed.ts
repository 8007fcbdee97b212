import { randomInt } from 'node:crypto';

/** Random choices that the seed and the place in the run decide, whatever runs beside them. */
export interface Choices {
  /** An integer from 0 up to but not including `below`. */
  below(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in so many of a hundred cases. */
  percent(share: number): boolean;
  shuffle<T>(list: readonly T[]): T[];
}

/** FNV-1a: one seed for each place, so that rounds that run at once do not share a generator. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** mulberry32: small, fast, and the same on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param place names what is chosen, such as `spend 17`; the same seed and place choose alike */
export function choicesOf(seed: number, place: string): Choices {
  const next = generator(hashOf(`${seed} ${place}`));
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick<T>(list: readonly T[]): T {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('there is nothing to pick from');
      return picked;
    },
    percent: (share) => next() * 100 < share,
    shuffle<T>(list: readonly T[]): T[] {
      const shuffled = list.map((item) => ({ item, at: next() }));
      return shuffled.sort((a, b) => a.at - b.at).map(({ item }) => item);
    },
  };
}

/** The seed of each day. */
const daily = 20_261_128;

/** `SEED` repeats another run, as a night's; without it each run is the same. */
export const seedOf = (env: NodeJS.ProcessEnv): number => Number(env.SEED ?? daily);

/** A seed that no run has had, for a night. */
export const newSeed = (): number => randomInt(2 ** 31);
