import { type Part, partsOf, type Repeat } from './syntax.ts';

/** A step of a backtracking search. Registers hold the ends of captures and where a turn began. */
export type Step =
  | { readonly op: 'one'; readonly fits: (character: string) => boolean; readonly by: 1 | -1 }
  | { readonly op: 'edge'; readonly holds: (before?: string, after?: string) => boolean }
  | { readonly op: 'same'; readonly group: number; readonly by: 1 | -1 }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save' | 'moved'; readonly register: number }
  | { readonly op: 'clear'; readonly groups: readonly [number, number] }
  | { readonly op: 'look'; readonly not: boolean; after: number }
  | { readonly op: 'found' };

/** Whether a character fits, as the engine itself says; remembered, as most texts repeat few. */
export function fitting(source: string, flags: string): (character: string) => boolean {
  const native = new RegExp(`^(?:${source})$`, flags.replaceAll(/[^isu]/g, ''));
  const known = new Map<string, boolean>();
  return (character) => {
    const before = known.get(character);
    if (before !== undefined) return before;
    const now = native.test(character);
    known.set(character, now);
    return now;
  };
}

const isWord = (character?: string) => character !== undefined && /\w/.test(character);
const isBreak = (character?: string) =>
  character !== undefined && /[\n\r\u2028\u2029]/.test(character);
const isBorder = (before?: string, after?: string) => isWord(before) !== isWord(after);

const edges = (
  isMultiline: boolean,
): Readonly<Record<string, (Step & { op: 'edge' })['holds']>> => ({
  '^': (before) => before === undefined || (isMultiline && isBreak(before)),
  $: (_, after) => after === undefined || (isMultiline && isBreak(after)),
  '\\b': isBorder,
  '\\B': (before, after) => !isBorder(before, after),
});

/** The steps in which ECMAScript says that a pattern is matched. */
export function programOf({ source, flags }: RegExp): readonly Step[] {
  const steps: Step[] = [];
  const kinds = edges(flags.includes('m'));
  let registers = 2 * (source.split('(').length + 1);

  /** A choice of ways: what `write` writes is the first of them, or the second if lazy. */
  function maybe(isLazy: boolean, write: () => void) {
    const split = { op: 'split' as const, first: 0, second: 0 };
    steps.push(split);
    const inside = steps.length;
    write();
    [split.first, split.second] = isLazy ? [steps.length, inside] : [inside, steps.length];
  }

  function turn({ body, groups }: Repeat, isOptional: boolean, by: 1 | -1) {
    if (groups[1] > groups[0]) steps.push({ op: 'clear', groups });
    // A turn beyond the least that takes nothing is no turn.
    const register = isOptional && body.kind !== 'one' ? registers++ : null;
    if (register !== null) steps.push({ op: 'save', register });
    write(body, by);
    if (register !== null) steps.push({ op: 'moved', register });
  }

  function repeat(part: Repeat, by: 1 | -1) {
    for (let count = 0; count < part.min; count++) turn(part, false, by);
    const more = (left: number) => {
      if (left === 0) return;
      const to = steps.length;
      maybe(part.isLazy, () => {
        turn(part, true, by);
        if (left === Number.POSITIVE_INFINITY) steps.push({ op: 'jump', to });
        else more(left - 1);
      });
    };
    more(part.max - part.min);
  }

  function choice([option, ...others]: readonly Part[], by: 1 | -1) {
    if (!option) return;
    if (others.length === 0) return write(option, by);
    const end = { op: 'jump' as const, to: 0 };
    maybe(false, () => {
      write(option, by);
      steps.push(end);
    });
    choice(others, by);
    end.to = steps.length;
  }

  function write(part: Part, by: 1 | -1): void {
    if (part.kind === 'one') steps.push({ op: 'one', fits: fitting(part.source, flags), by });
    else if (part.kind === 'edge') {
      const holds = kinds[part.source];
      if (holds) steps.push({ op: 'edge', holds });
    } else if (part.kind === 'same') steps.push({ op: 'same', group: part.group, by });
    else if (part.kind === 'sequence')
      for (const inner of by === 1 ? part.parts : part.parts.toReversed()) write(inner, by);
    else if (part.kind === 'choice') choice(part.options, by);
    else if (part.kind === 'repeat') repeat(part, by);
    else if (part.kind === 'group') {
      const [first, last] = [2 * part.group, 2 * part.group + 1];
      steps.push({ op: 'save', register: by === 1 ? first : last });
      write(part.body, by);
      steps.push({ op: 'save', register: by === 1 ? last : first });
    } else {
      const look = { op: 'look' as const, not: part.not, after: 0 };
      steps.push(look);
      write(part.body, part.behind ? -1 : 1);
      steps.push({ op: 'found' });
      look.after = steps.length;
    }
  }

  write(partsOf(source), 1);
  steps.push({ op: 'found' });
  return steps;
}
