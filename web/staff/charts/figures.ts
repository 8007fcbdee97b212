import { money } from '../../ui/money.ts';

/** A column of a chart: an hour by its first instant, or a day of Eastern Time as `YYYY-MM-DD`. */
export type Step = 'hour' | 'day';
/** Whether the figures of a chart are counts or cents. */
export type Unit = 'count' | 'cents';

const hourOnly = new Intl.DateTimeFormat('en-US', { hour: '2-digit', hourCycle: 'h23' });
const hourOfDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
// A day is one of the calendar: no zone moves it.
const dayOnly = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const dayOfWeek = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const short = new Intl.NumberFormat('en-US', { notation: 'compact' });
const shortMoney = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** A column at the axis: `14:00`, `Nov 28`. */
export const tickOf = (at: string, step: Step): string =>
  step === 'hour' ? `${hourOnly.format(new Date(at))}:00` : dayOnly.format(new Date(at));

/** A column by itself: `Nov 28, 14:00`, `Sat, Nov 28`. */
export const columnOf = (at: string, step: Step): string =>
  (step === 'hour' ? hourOfDay : dayOfWeek).format(new Date(at));

/** A figure at the axis, short: `1.2K`, `$30K`. */
export const markOf = (value: number, unit: Unit): string =>
  unit === 'cents' ? shortMoney.format(value / 100) : short.format(value);

/** A figure as it is. */
export const figureOf = (value: number, unit: Unit): string =>
  unit === 'cents' ? money(value, 'en') : value.toLocaleString('en-US');
