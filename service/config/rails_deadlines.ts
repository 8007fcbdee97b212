import { type RailsMethod, railsMethodList } from '../rails/guard/methods.ts';
import { numbersByName } from './numbers_by_name.ts';
import type { Faults } from './values.ts';

const usual = 10;
/** Less than the lease of a job, and than a client waits. */
const longest = 20;

/** Seconds that a call of each method of the rails may take (rules/operations#78). */
export type RailsDeadlines = Readonly<Record<RailsMethod, number>>;

/** Reads `10`, `10,bank.take=20` or `bank.take=20`. */
export function railsDeadlinesOf(text: string | undefined, faults: Faults): RailsDeadlines {
  const names = railsMethodList.map(({ full }) => full);
  return numbersByName(text, { names, usual, longest }, () => {
    faults.push(
      `RAILS_DEADLINES must be seconds from 1 to ${longest}, or a list, by commas, such as 10,bank.take=20 of ${names.join(', ')}`,
    );
  });
}
