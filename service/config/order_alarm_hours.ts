import { type UnansweredKind, unansweredKinds } from '../rails/unanswered.ts';
import { numbersByName } from './numbers_by_name.ts';
import type { Faults } from './values.ts';

const usual = 24;
/** Thirty days. */
const longest = 720;

/** Hours that an order may wait for the bank's answer without an alarm (rules/bank-orders#26). */
export type OrderAlarmHours = Readonly<Record<UnansweredKind, number>>;

/** Reads `24`, `24,own=4` or `own=4,transfer=48`. */
export function orderAlarmHoursOf(text: string | undefined, faults: Faults): OrderAlarmHours {
  return numbersByName(text, { names: unansweredKinds, usual, longest }, () => {
    faults.push(
      `ORDER_ALARM_HOURS must be hours from 1 to ${longest}, or a list, by commas, such as 24,own=4 of ${unansweredKinds.join(', ')}`,
    );
  });
}
