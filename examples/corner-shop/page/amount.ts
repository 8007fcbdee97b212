/** A typed amount of dollars: its cents, or what is wrong with it. Both are null where nothing is typed. */
export interface Amount {
  readonly cents: number | null;
  readonly fault: 'malformed' | 'comma' | 'cents' | 'zero' | null;
}

const refused = (fault: Amount['fault']): Amount => ({ cents: null, fault });

/** `1,000.50`, `1000.5`, `$20`, `20.`, `.50` */
const form = /^(\d{1,3}(?:,\d{3})+|\d{0,9})(?:\.(\d*))?$/;

/** Reads dollars as they are written in the United States, in English and in Spanish. */
export function readAmount(typed: string): Amount {
  const text = typed.replaceAll(/\s/g, '').replace(/^\$/, '');
  if (text === '') return refused(null);
  if (/^\d+,\d{1,2}$/.test(text)) return refused('comma');
  const found = form.exec(text);
  if (!found || !/\d/.test(text)) return refused('malformed');
  const [, whole = '', decimals = ''] = found;
  if (decimals.length > 2) return refused('cents');
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(decimals.padEnd(2, '0'));
  return cents > 0 ? { cents, fault: null } : refused('zero');
}
