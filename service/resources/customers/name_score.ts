/**
 * How much two names are one, from 0 to 100 (rules/linking#27). A name of people may hold several holders. Order,
 * case, accents, titles, generations and forms of companies do not count; a letter for a name, a slip of the pen and a
 * name more or less do.
 */

const titles = new Set(['MR', 'MRS', 'MS', 'MISS', 'DR', 'PROF']);
const generations = new Set(['JR', 'SR', 'II', 'III', 'IV']);
const companyForms = new Set([
  'LLC',
  'LC',
  'LTD',
  'LIMITED',
  'INC',
  'INCORPORATED',
  'CORP',
  'CORPORATION',
  'CO',
  'COMPANY',
  'LP',
  'LLP',
  'LLLP',
  'PC',
  'PLLC',
  'THE',
  'AND',
]);

const likeness: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Ø: 'O',
  Œ: 'OE',
  Ð: 'D',
  Đ: 'D',
  Þ: 'TH',
  Ł: 'L',
  '&': ' AND ',
  '+': ' AND ',
};

/** The cost of a slip of one letter, of the length of a name. */
const slipCost = 1.6;
const leastLikeness = 0.5;
/** A letter stands for a name that begins with it. */
const initialLikeness = 0.6;
/** Points for each name that only one of the two has. */
const pointsPerName = 6;
/** No more can be said where one of the two is a single name: a given name of a person, a word of a company. */
const singleName = { individual: 60, business: 75 } as const;
/** Words and letters that are compared; a longer name is no name. */
const mostWords = 12;
const mostLetters = 40;

export type NameKind = keyof typeof singleName;

/** In capitals, without marks, apostrophes and dots; every other sign becomes a space. */
const plain = (name: string): string =>
  [
    ...name
      .slice(0, 300)
      .normalize('NFKD')
      .toUpperCase()
      .replaceAll(/[\p{M}'’.]/gu, ''),
  ]
    .map((sign) => likeness[sign] ?? (/[\p{L}\p{N}]/u.test(sign) ? sign : ' '))
    .join('');

const wordsOf = (text: string): string[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .map((word) => word.slice(0, mostLetters));

/** Letters to change, to leave out, to add or to swap with their neighbour between two words. */
function slips(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const ways = [
        (last?.[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last?.[at - 1] ?? 0) + (isSame ? 0 : 1),
      ];
      if (isSwapped && row > 1) ways.push((before?.[at - 2] ?? 0) + 1);
      next.push(Math.min(...ways));
    }
    [before, last] = [last ?? [], next];
  }
  return last?.at(-1) ?? 0;
}

function wordLikeness(one: string, other: string): number {
  if (one === other) return 1;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length === 1) return long.startsWith(short) ? initialLikeness : 0;
  const found = 1 - (slipCost * slips(one, other)) / long.length;
  return found < leastLikeness ? 0 : found;
}

/** The likeness of each word of the shorter name to its own word of the longer one, the best first. */
function likenesses(short: readonly string[], long: readonly string[]): number[] {
  const pairs = short.flatMap((one, at) =>
    long.map((other, place) => ({ at, place, found: wordLikeness(one, other) })),
  );
  pairs.sort((a, b) => b.found - a.found);
  const [ofShort, ofLong] = [new Set<number>(), new Set<number>()];
  return pairs.flatMap(({ at, place, found }) => {
    if (found === 0 || ofShort.has(at) || ofLong.has(place)) return [];
    ofShort.add(at);
    ofLong.add(place);
    return [found];
  });
}

function scoreOfWords(one: readonly string[], other: readonly string[], kind: NameKind): number {
  if (one.length === 0 || other.length === 0) return 0;
  if (one.join('') === other.join('')) return 100;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const sum = likenesses(short, long).reduce((total, found) => total + found, 0);
  const score = (100 * sum) / short.length - pointsPerName * (long.length - short.length);
  const most = short.length === 1 && long.length > 1 ? singleName[kind] : 100;
  return Math.max(0, Math.round(Math.min(score, most)));
}

interface Parsed {
  readonly words: readonly string[];
  /** `JR`; null: it says none. */
  readonly generation: string | null;
}

function parsed(text: string, kind: NameKind): Parsed {
  const all = wordsOf(text);
  const left = kind === 'business' ? companyForms : titles;
  // A form alone is the name.
  const words = all.filter((word) => !left.has(word));
  const named = words.length === 0 ? all : words;
  if (kind === 'business') return { words: named, generation: null };
  const generation = named.slice(1).find((word) => generations.has(word)) ?? null;
  return { words: named.filter((word, at) => at === 0 || word !== generation), generation };
}

/** `JOHN AND MARY SMITH` are two, who share the last name. */
function peopleIn(name: string): string[] {
  const people = plain(name)
    .split(/ (?:AND|OR|ANDOR) /)
    .map((one) => wordsOf(one))
    .filter((words) => words.length > 0);
  const family = people.at(-1)?.at(-1) ?? '';
  return people.map((words) => (words.length === 1 ? [...words, family] : words).join(' '));
}

/** `JANE DOE DBA CORNER CAFE` has two names. */
const companiesIn = (name: string): string[] => plain(name).split(/ DBA /);

/** @returns 100 where they are the same; of several holders the one who is likest counts */
export function nameScore(ours: string, theirs: string, kind: NameKind): number {
  const mine = parsed(plain(ours), kind);
  const holders = kind === 'business' ? companiesIn(theirs) : peopleIn(theirs);
  const scores = holders.map((holder) => {
    const their = parsed(holder, kind);
    // A father and a son are two.
    const differ = mine.generation && their.generation && mine.generation !== their.generation;
    return differ ? 0 : scoreOfWords(mine.words, their.words, kind);
  });
  return Math.max(0, ...scores);
}
