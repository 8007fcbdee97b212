import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { addDays, easternDay, startOfDay } from '../limits/days.ts';

/** [12 CFR 1005.8(a)(1)]: at least so many days lie between the notice and the change. */
const noticeDays = 21;

/** The first instant at which 21 whole days have passed since the Eastern Time day of a notice. */
export const effectiveFrom = (told: Instant): Instant =>
  startOfDay(addDays(easternDay(told), noticeDays + 1));
