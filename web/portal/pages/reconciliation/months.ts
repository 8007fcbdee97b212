/** Days as `YYYY-MM-DD` and months as `YYYY-MM`, without a time of day, so that no zone moves them. */

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const textOf = (date: Date): string => date.toISOString().slice(0, 10);

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
