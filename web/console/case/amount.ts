/** Dollars as somebody types them in cents; null: not an amount. @param maySign it may be below zero */
export function centsOf(text: string, maySign: boolean): number | null {
  const form = /^(-?)\$?(\d{1,9}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;
  const [, sign = '', dollars, part = ''] = form.exec(text.trim()) ?? [];
  if (dollars === undefined || (sign !== '' && !maySign)) return null;
  const cents = Number(dollars.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
  return sign === '' ? cents : -cents;
}
