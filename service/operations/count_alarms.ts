import { isCause } from './causes.ts';
import type { Meters } from './meters.ts';

/** Counts each alarm of the log, and its cause; the cause that a request meets is counted with its reply. */
export const countAlarms =
  (meters: Pick<Meters, 'alarms' | 'faults'>) =>
  (alarm: string, cause: unknown): void => {
    meters.alarms.inc({ alarm });
    if (alarm !== 'stored_json' && alarm !== 'command' && isCause(cause))
      meters.faults.inc({ cause });
  };
