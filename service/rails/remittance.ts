/** The characters that every network and bank carries: the letters and signs of ISO 20022's basic text. */
const carried = /^[A-Za-z0-9/\-?:().,'+ ]$/;

/** The longest text beside an order (`Ustrd` of ISO 20022). */
export const longestRemittance = 140;

/** Letters that are no letter with a mark, and signs that have a likeness. */
const likeness: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Ð: 'D',
  Ø: 'O',
  Þ: 'Th',
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  Đ: 'D',
  đ: 'd',
  ı: 'i',
  Ł: 'L',
  ł: 'l',
  Œ: 'OE',
  œ: 'oe',
  '&': '+',
  _: '-',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '"': "'",
  '`': "'",
  '´': "'",
  '‘': "'",
  '’': "'",
  '“': "'",
  '”': "'",
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  ';': ',',
  '\\': '/',
  '|': '/',
};

const carriedAs = (sign: string): string => (carried.test(sign) ? sign : (likeness[sign] ?? ' '));

/**
 * A text in the characters that the networks carry: letters lose their marks, signs become their likeness, and
 * what has none a space. A slash neither begins nor ends it, and two never follow each other, as SWIFT has it.
 * @returns at most `longest` characters; empty where nothing of it can be carried
 */
export function networkText(text: string, longest = longestRemittance): string {
  const signs = [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '')].map(carriedAs).join('');
  const words = signs.split(/[ ]/).filter((word) => word !== '');
  const parts = words
    .join(' ')
    .split('/')
    .filter((part) => part !== '');
  return parts
    .join('/')
    .trim()
    .slice(0, longest)
    .replace(/ ?\/? ?$/, '');
}

/** Names whom the payer or the one who is paid knows, then the record; the record always has its place. */
export function remittanceOf(name: string, record: string): string {
  const told = networkText(record);
  const known = networkText(name, longestRemittance - told.length - 1);
  return known === '' ? told : `${known} ${told}`;
}
