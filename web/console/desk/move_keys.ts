import { moveName } from './words.ts';

/** The keys that a page of a case has for itself. */
export const ownKeys = { take: 't', next: 'n', help: '?' } as const;

/** The letters by which reviewers know the moves they make most. */
const known: Readonly<Record<string, string>> = {
  approve: 'a',
  verify: 'a',
  accept: 'a',
  resolve_approved: 'a',
  reject: 'r',
  refuse: 'r',
  return: 'r',
  resolve_denied: 'd',
  resolve_partial: 'p',
  credit: 'c',
  match: 'm',
  request_more: 'm',
  give: 'g',
  investigate: 'i',
};

const letters = (name: string) => [...name.toLowerCase()].filter((one) => /[a-z]/.test(one));

/** The key of each move: the one it is known by, or else the first letter of its name that is free. */
export function keysOf(moves: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>(Object.values(ownKeys));
  const found = new Map<string, string>();
  const give = (move: string, offered: readonly string[]) => {
    const key = offered.find((one) => !taken.has(one));
    if (key === undefined) return;
    taken.add(key);
    found.set(move, key);
  };
  for (const move of moves) if (known[move]) give(move, [known[move]]);
  for (const move of moves) if (!found.has(move)) give(move, letters(moveName(move)));
  return found;
}
