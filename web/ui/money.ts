/** The tag of a language as the United States write it: `$1,234.50` in both. */
const tagOf = (locale: string): string => `${locale}-US`;

/** Cents, a whole number, as dollars. `locale` is a language, such as `es`. */
export const money = (cents: number, locale: string): string =>
  new Intl.NumberFormat(tagOf(locale), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  }).format(cents / 100);
