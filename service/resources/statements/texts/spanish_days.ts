import type { Day } from '../../limits/days.ts';

const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre';
const monthNames = months.split(' ');

function partsOf(day: Day) {
  const [year, month = 1, date] = day.split('-').map(Number);
  return { year, month: monthNames[month - 1] ?? '', date };
}

/** `5 de enero de 2026` */
export function spanishDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${date} de ${month} de ${year}`;
}

/** `5 ene 2026` */
export function shortSpanishDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${date} ${month.slice(0, 3)} ${year}`;
}
