import { fitting } from './program.ts';
import { type Part, partsOf } from './syntax.ts';

/** A text that makes a bad pattern work: its pump is repeated between two ends. */
export interface Pump {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** Ordinary characters first: they stand for all that a pattern treats alike. */
const universe = [
  ...'a1 .-_@/:,;+AZ09bz',
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'é\u00a0\u00adſ\u0301\u2028中\ud800',
  ...' \n\u0000',
];

/** The places of a part that take one character; `repeated`: only those within a repetition. */
function placesOf(part: Part, repeated: boolean): string[] {
  if (part.kind === 'one') return repeated ? [] : [part.source];
  if (part.kind === 'sequence') return part.parts.flatMap((inner) => placesOf(inner, repeated));
  if (part.kind === 'choice') return part.options.flatMap((inner) => placesOf(inner, repeated));
  if (!('body' in part)) return [];
  return placesOf(part.body, repeated && !(part.kind === 'repeat' && part.max > 1));
}

const unique = (texts: readonly string[]) => [...new Set(texts)];

/** The alphabet: of the characters that can be repeated, one for each set of places of the pattern where it fits. */
function alphabetOf(whole: Part, flags: string): string[] {
  const fitsIn = (repeated: boolean) =>
    unique(placesOf(whole, repeated)).map((source) => fitting(source, flags));
  const [places, turns] = [fitsIn(false), fitsIn(true)];
  const kinds = new Map<string, string>();
  for (const letter of universe) {
    const kind = places.map((place) => (place(letter) ? 1 : 0)).join('');
    if (!kinds.has(kind) && turns.some((turn) => turn(letter))) kinds.set(kind, letter);
  }
  return [...kinds.values()];
}

class Sampler {
  readonly #flags: string;
  /** The places where turns begin: a text that leads there, and texts that are one turn. */
  readonly turns: { readonly prefix: string; readonly bodies: readonly string[] }[] = [];

  constructor(flags: string) {
    this.#flags = flags;
  }

  /** A text that the part takes; of a choice, the option of this number. */
  sample(part: Part, option = 0): string {
    if (part.kind === 'one') {
      const fits = fitting(part.source, this.#flags);
      return universe.find(fits) ?? '';
    }
    if (part.kind === 'sequence')
      return part.parts.map((inner) => this.sample(inner, option)).join('');
    if (part.kind === 'choice') {
      const chosen = part.options[Math.min(option, part.options.length - 1)];
      return chosen ? this.sample(chosen, option) : '';
    }
    if (part.kind === 'group') return this.sample(part.body, option);
    if (part.kind === 'repeat') {
      const times = part.max === 1 ? option % 2 : Math.max(part.min, 1);
      return this.sample(part.body, option).repeat(times);
    }
    return '';
  }

  /** Collects each place of a part where a turn begins. */
  visit(part: Part, prefix: string): void {
    if (part.kind === 'sequence') {
      let before = prefix;
      for (const inner of part.parts) {
        this.visit(inner, before);
        before += this.sample(inner);
      }
    } else if (part.kind === 'choice')
      for (const option of part.options) this.visit(option, prefix);
    else if ('body' in part) {
      if (part.kind === 'repeat' && part.max > 1)
        this.turns.push({
          prefix,
          bodies: [0, 1, 2].map((option) => this.sample(part.body, option)),
        });
      this.visit(part.body, prefix);
    }
  }
}

/** The most of each kind: a pattern of a whole grammar would make a hundred thousand. */
const most = 1000;

/** All of a list, or as many as we try, evenly out of it. */
function some<T>(all: readonly T[]): readonly T[] {
  const each = all.length / Math.min(all.length, most);
  return Array.from(
    { length: Math.min(all.length, most) },
    (_, index) => all[Math.floor(index * each)],
  ).filter((one) => one !== undefined);
}

/** Texts by which each repetition of a pattern is tried, alone and with what leads to it. */
export function pumpsOf({ source, flags }: RegExp): readonly Pump[] {
  const whole = partsOf(source);
  const letters = alphabetOf(whole, flags);
  const sampler = new Sampler(flags);
  sampler.visit(whole, '');
  const leading = sampler.turns.flatMap(({ prefix, bodies }) => [
    prefix,
    ...bodies.map((body) => prefix + body),
  ]);
  // Ends at which a search fails: each repeated place meets a character that it refuses.
  const refused = unique(placesOf(whole, true)).map((place) => {
    const fits = fitting(place, flags);
    return universe.findLast((letter) => !fits(letter)) ?? '';
  });
  const suffixes = unique(['', '\u0000', ...refused]);
  const prefixes = unique(['', '\u0000', ...leading]);
  const combined = (befores: readonly string[], pumps: readonly string[]) =>
    some(
      befores.flatMap((prefix) =>
        unique(pumps).flatMap((pump) => suffixes.map((suffix) => ({ prefix, pump, suffix }))),
      ),
    );
  const pairs = letters.flatMap((first) =>
    letters.filter((second) => second !== first).map((second) => first + second),
  );
  return [
    ...combined(prefixes, [...letters, ...sampler.turns.flatMap(({ bodies }) => bodies)]),
    ...combined([''], leading),
    ...combined(prefixes, pairs),
  ].filter(({ pump }) => pump !== '');
}
