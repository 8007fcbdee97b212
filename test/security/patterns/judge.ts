import { programOf } from './program.ts';
import { type Pump, pumpsOf } from './pumps.ts';
import { search } from './steps.ts';

/** The steps for each character above which a pattern is tried with a longer text. */
const few = 15;
/** No pattern should need as many for a text of some hundred characters. */
const many = 500;

const textOf = ({ prefix, pump, suffix }: Pump, times: number) =>
  prefix + pump.repeat(times) + suffix;

/**
 * The text by which a pattern takes more than linear time, or null. Steps are counted, not time
 * measured, so the answer is the same on every machine: with a text four times as long a linear
 * pattern takes as many steps for each character, a quadratic one four times as many.
 */
export function slowPumpOf(pattern: RegExp): Pump | null {
  const program = programOf(pattern);
  const stepsEach = (text: string, limit: number): number => {
    const { matches, steps } = search(program, pattern.flags, text, limit * text.length);
    return matches === null ? Number.POSITIVE_INFINITY : steps / text.length;
  };
  const isSlow = (pump: Pump) => {
    const short = stepsEach(textOf(pump, 100), many);
    if (short <= few) return false;
    return short > many || stepsEach(textOf(pump, 400), 2 * short) > 2 * short;
  };
  return pumpsOf(pattern).find(isSlow) ?? null;
}

/** A text where our count finds other matches than the engine, or null. */
export function differenceOf(pattern: RegExp): string | null {
  const { source, flags } = pattern;
  const program = programOf(pattern);
  const native = new RegExp(source, `${flags.replaceAll('g', '')}g`);
  const differs = (text: string) => {
    const characters = flags.includes('u') ? [...text] : text.split('');
    const { matches } = search(program, flags, text, 1e6);
    const ours = matches?.map(([start, end]) => characters.slice(start, end).join(''));
    return JSON.stringify(ours) !== JSON.stringify(text.match(native) ?? []);
  };
  // Each seventh: neighbours are alike.
  const some = pumpsOf(pattern).filter((_, index) => index % 7 === 0);
  return some.map((pump) => textOf(pump, 3)).find(differs) ?? null;
}
