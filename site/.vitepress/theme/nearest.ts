import { distance } from 'fastest-levenshtein';

/** A page of the site, as its lists name it. */
export interface ListedPage {
  readonly text: string;
  /** Its address without the site's base: `/guide/flows/refunds`. */
  readonly link: string;
}

/** They are in the address of many pages, or of none. */
const empty = new Set([
  'docs',
  'doc',
  'guide',
  'reference',
  'index',
  'html',
  'md',
  'txt',
  'the',
  'a',
  'and',
]);

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !empty.has(word));

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The words of an address, the last part's first. */
export const wordsOfAddress = (address: string): string[] =>
  decoded(address.replace(/[?#].*$/, ''))
    .split('/')
    .reverse()
    .flatMap(wordsIn);

const singular = (word: string): string => word.replace(/(?<=\w{3})s$/, '');

/** How near two words are, from 0 to 1. */
function nearness(asked: string, word: string): number {
  if (singular(asked) === singular(word)) return 1;
  const longest = Math.max(asked.length, word.length);
  const shortest = Math.min(asked.length, word.length);
  if (
    shortest >= longest / 2 &&
    shortest >= 3 &&
    (asked.startsWith(word) || word.startsWith(asked))
  )
    return 0.8;
  const apart = distance(asked, word);
  return shortest >= 4 && apart <= Math.ceil(longest / 5) ? 0.7 : 0;
}

const bestOf = (asked: string, words: readonly string[]): number =>
  Math.max(0, ...words.map((word) => nearness(asked, word)));

/** The words of the last part say what is looked for, those before it where. */
const folderShare = 0.3;

function scoreOf(address: string, { text, link }: ListedPage): number {
  const [last = [], ...folders] = decoded(address)
    .split('/')
    .filter((part) => wordsIn(part).length > 0)
    .reverse()
    .map(wordsIn);
  const own = wordsOfAddress(link);
  const name = [...wordsIn(link.split('/').at(-1) ?? ''), ...wordsIn(text)];
  const sum = (asked: readonly string[], words: readonly string[]) =>
    asked.reduce((total, word) => total + bestOf(word, words), 0);
  const found = sum(last, name) + folderShare * sum(last, own);
  if (found === 0) return 0;
  // The shorter of two names that have the same words is the nearer one.
  return found + folderShare * sum(folders.flat(), own) - 0.02 * name.length;
}

/** The pages whose names are nearest to the words of an address, the nearest first. */
export function nearestPages(
  address: string,
  pages: readonly ListedPage[],
  most = 5,
): ListedPage[] {
  const path = address.replace(/[?#].*$/, '');
  const scored = pages.map((page) => ({ page, score: scoreOf(path, page) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const found = scored
    .filter(({ score }) => score > 0.5 && score >= best / 2)
    .sort((a, b) => b.score - a.score)
    .map(({ page }) => page);
  return [...new Map(found.map((page) => [page.link, page])).values()].slice(0, most);
}
