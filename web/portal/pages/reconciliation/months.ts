/** Days as `YYYY-MM-DD` and months as `YYYY-MM`, without a time of day, so that no zone moves them. */

const eastern = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const named = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const whole = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' });

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const textOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The Eastern Time day of an instant. */
export const dayOf = (instant: string): string => eastern.format(new Date(instant));

export const monthInWords = (month: string): string => named.format(dateOf(`${month}-01`));
export const dayInWords = (day: string): string => whole.format(dateOf(day));

export function monthAfter(month: string, count: number): string {
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return textOf(date).slice(0, 7);
}

/** The weeks of a month from Sunday on; null: a day of another month. */
export function weeksOf(month: string): (string | null)[][] {
  const date = dateOf(`${month}-01`);
  const days: (string | null)[] = Array(date.getUTCDay()).fill(null);
  while (textOf(date).startsWith(month)) {
    days.push(textOf(date));
    date.setUTCDate(date.getUTCDate() + 1);
  }
  while (days.length % 7 > 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}
