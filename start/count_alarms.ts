import { alarmNames } from '../backoffice/contract/operate/alarm_texts.ts';
import { causes, isCause } from '../service/operations/causes.ts';
import type { Meters } from '../service/operations/meters.ts';

/** A request meets it, so that it is counted with the reply. */
const ofRequests = ['command', 'stored_json'];

/** Counts alarms by their names and, of those that have one, by their cause. */
export function openAlarmCount({ alarms, faults }: Pick<Meters, 'alarms' | 'faults'>) {
  // From 0 on: an increase to the first one is seen, too.
  for (const alarm of alarmNames) alarms.inc({ alarm }, 0);
  for (const cause of causes) faults.inc({ cause }, 0);
  return (alarm: string, cause: unknown): void => {
    alarms.inc({ alarm });
    if (!ofRequests.includes(alarm) && isCause(cause)) faults.inc({ cause });
  };
}
