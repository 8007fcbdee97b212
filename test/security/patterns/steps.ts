import type { Step } from './program.ts';

type Registers = readonly (number | undefined)[];

/** The result of a search: start and end of each match, or null where the steps ran out. */
export interface Outcome {
  readonly matches: readonly (readonly [number, number])[] | null;
  readonly steps: number;
}

/** A backtracking search of one text that counts its steps and gives up at a limit. */
class Search {
  readonly program: readonly Step[];
  readonly text: readonly string[];
  readonly limit: number;
  steps = 0;
  /** The place of the thread that runs now; -1: it failed. */
  #step = 0;
  #at = 0;
  #registers: Registers = [];

  constructor(program: readonly Step[], text: readonly string[], limit: number) {
    this.program = program;
    this.text = text;
    this.limit = limit;
  }

  /** The end of a match from here; null: none, or the limit is reached. */
  run(step: number, at: number, registers: Registers): number | null {
    const waiting: [number, number, Registers][] = [];
    [this.#step, this.#at, this.#registers] = [step, at, registers];
    for (;;) {
      if (this.#step < 0) {
        const next = waiting.pop();
        if (!next) return null;
        [this.#step, this.#at, this.#registers] = next;
      }
      if (++this.steps > this.limit) return null;
      const now = this.program[this.#step];
      if (now === undefined || now.op === 'found') return this.#at;
      if (now.op === 'split') {
        waiting.push([now.second, this.#at, this.#registers]);
        this.#step = now.first;
      } else if (now.op === 'jump') this.#step = now.to;
      else if (now.op === 'one') {
        const character = this.text[now.by === 1 ? this.#at : this.#at - 1];
        this.#at += now.by;
        this.#goOnIf(character !== undefined && now.fits(character));
      } else this.#other(now);
    }
  }

  readonly #goOnIf = (holds: boolean) => {
    this.#step = holds ? this.#step + 1 : -1;
  };

  #other(now: Step) {
    const at = this.#at;
    if (now.op === 'edge') this.#goOnIf(now.holds(this.text[at - 1], this.text[at]));
    else if (now.op === 'moved') this.#goOnIf(this.#registers[now.register] !== at);
    else if (now.op === 'save') {
      const next = this.#registers.slice();
      next[now.register] = at;
      this.#registers = next;
      this.#goOnIf(true);
    } else if (now.op === 'clear') {
      const next = this.#registers.slice();
      for (let register = 2 * now.groups[0]; register < 2 * now.groups[1]; register++)
        next[register] = undefined;
      this.#registers = next;
      this.#goOnIf(true);
    } else if (now.op === 'same') this.#same(now.group, now.by);
    else if (now.op === 'look') {
      const [step, registers] = [this.#step, this.#registers];
      const found = this.run(step + 1, at, registers) !== null;
      if (!found || now.not) this.#registers = registers;
      [this.#step, this.#at] = [found === now.not ? -1 : now.after, at];
    }
  }

  #same(group: number, by: 1 | -1) {
    const [start, end] = [this.#registers[2 * group], this.#registers[2 * group + 1]];
    if (start === undefined || end === undefined) return this.#goOnIf(true);
    const length = end - start;
    const from = by === 1 ? this.#at : this.#at - length;
    this.steps += length;
    const before = this.text.slice(start, end).join('');
    this.#at += by * length;
    this.#goOnIf(from >= 0 && this.text.slice(from, from + length).join('') === before);
  }
}

/** Searches all matches of a text, as `matchAll` does; `flags` are those of the pattern. */
export function search(
  program: readonly Step[],
  flags: string,
  text: string,
  limit: number,
): Outcome {
  const characters = flags.includes('u') ? [...text] : text.split('');
  const one = new Search(program, characters, limit);
  const matches: [number, number][] = [];
  for (let start = 0; start <= characters.length; ) {
    const end = one.run(0, start, []);
    if (one.steps > limit) return { matches: null, steps: one.steps };
    if (end !== null) matches.push([start, end]);
    else if (flags.includes('y')) break;
    start = end !== null && end > start ? end : start + 1;
  }
  return { matches, steps: one.steps };
}
