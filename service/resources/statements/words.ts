import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import type { Day } from '../limits/days.ts';

/** The names of Transaction types on a statement. */
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

/** What the standard PDF fonts can show besides ASCII and Latin-1. */
const extra = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
const isShown = (letter: string) =>
  /[\x20-\x7e\xa1-\xac\xae-\xff]/.test(letter) || extra.has(letter);

/**
 * A text as the statement's fonts can show it: letters that they lack lose their marks or become
 * `?`; line breaks and control characters become a space.
 */
export function shownText(text: string): string {
  const letters = [...text.normalize('NFC')].map((letter) => {
    if (isShown(letter)) return letter;
    if (/[\p{C}\p{Z}]/u.test(letter)) return ' ';
    if (/\p{M}/u.test(letter)) return '';
    const base = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '');
    return base !== '' && [...base].every(isShown) ? base : '?';
  });
  return letters.join('').replaceAll(/ +/g, ' ').trim();
}
