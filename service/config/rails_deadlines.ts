import { type RailsMethod, railsMethodList } from '../rails/guard/methods.ts';
import type { Faults } from './values.ts';

const usual = 10;
/** Less than the lease of a job, and than a client waits. */
const longest = 20;

/** Seconds that a call of each method of the rails may take (rules/operations#78). */
export type RailsDeadlines = Readonly<Record<RailsMethod, number>>;

const secondsOf = (text = ''): number | null =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= longest ? Number(text) : null;

/** Reads `10`, `10,bank.take=20` or `bank.take=20`. */
export function railsDeadlinesOf(text: string | undefined, faults: Faults): RailsDeadlines {
  const names = railsMethodList.map(({ full }) => full);
  let forAll = usual;
  const own = new Map<RailsMethod, number>();
  for (const part of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [first = '', second] = part.split('=').map((one) => one.trim());
    const method = names.find((name) => name === first);
    const seconds = secondsOf(second ?? first);
    if (seconds === null || (second !== undefined && !method))
      faults.push(
        `RAILS_DEADLINES must be seconds from 1 to ${longest}, or a list, by commas, such as 10,bank.take=20 of ${names.join(', ')}`,
      );
    else if (method) own.set(method, seconds);
    else forAll = seconds;
  }
  return Object.fromEntries(names.map((name) => [name, own.get(name) ?? forAll])) as RailsDeadlines;
}
