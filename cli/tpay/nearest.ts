import { distance } from 'fastest-levenshtein';
import { UsageError } from '../terminal.ts';

const shownAtMost = 3;

/** The known words that are most like this one, the nearest first; none where nothing is like it. */
export function nearest(word: string, known: readonly string[]): string[] {
  const farthest = Math.max(2, Math.floor(word.length / 3));
  const measured = known.map((candidate) => ({
    candidate,
    far: distance(word.toLowerCase(), candidate),
    begins: word !== '' && candidate.startsWith(word),
  }));
  const best = Math.min(farthest, ...measured.map(({ far }) => far));
  return measured
    .filter(({ far, begins }) => far <= best || begins)
    .sort((a, b) => a.far - b.far)
    .slice(0, shownAtMost)
    .map(({ candidate }) => candidate);
}

/** @param what `an event type` @throws UsageError names what is like it, else what there is */
export function oneOf<const T extends string>(
  what: string,
  word: string,
  known: readonly T[],
  seeAll: string,
): T {
  if ((known as readonly string[]).includes(word)) return word as T;
  const near = nearest(word, known);
  const hint = near.length > 0 ? `Did you mean ${near.join(', or ')}?` : seeAll;
  throw new UsageError(`${JSON.stringify(word)} is not ${what}`, hint);
}
