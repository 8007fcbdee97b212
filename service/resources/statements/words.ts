import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import type { Day } from '../limits/days.ts';

/** The names of Transaction types in English. */
export const typeNames: Readonly<Record<TransactionType, string>> = {
  load: 'Money added',
  payment_sent: 'Payment sent',
  payment_received: 'Payment received',
  withdrawal: 'Withdrawal',
  refund_sent: 'Refund sent',
  refund_received: 'Refund received',
  dispute_credit: 'Dispute credit',
  dispute_reversal: 'Dispute credit reversed',
  adjustment: 'Adjustment',
};

/** `$1,234.56`, with a minus before it. */
export function dollars(cents: number): string {
  const [whole = '', rest = ''] = (Math.abs(cents) / 100).toFixed(2).split('.');
  return `${cents < 0 ? '-' : ''}$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${rest}`;
}

const months =
  'January February March April May June July August September October November December';
const monthNames = months.split(' ');

function partsOf(day: Day) {
  const [year, month = 1, date] = day.split('-').map(Number);
  return { year, month: monthNames[month - 1] ?? '', date };
}

/** `January 5, 2026`. */
export function longDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${month} ${date}, ${year}`;
}

/** `Jan 5, 2026`. */
export function shortDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${month.slice(0, 3)} ${date}, ${year}`;
}

export const regular = 'Helvetica';

/** Text whose letters the standard fonts of PDF have: ASCII, Latin-1 and what Windows-1252 adds. */
export const standard = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** A text on one line: line breaks and other control characters become a space, marks of format go. */
export const onOneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
