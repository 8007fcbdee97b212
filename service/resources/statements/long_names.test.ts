import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleInstitution } from '../../../contract/core/institutions.ts';
import { type ReadPdf, readPdf } from '../../../test/kit/files/pdf.ts';
import type { Content, Line } from './content.ts';
import { linesOf } from './lines.ts';
import { statementPdf } from './pdf.ts';
import { type StatementLanguage, statementTexts } from './texts/texts.ts';

/** Names are shown in full, however long they are (rules/reports#27, #28). */

const statement = {
  id: randomUUID(),
  account_id: randomUUID(),
  period_start: '2026-01-01',
  period_end: '2026-01-31',
  opening_balance: 0,
  closing_balance: 0,
  download_url: '',
  download_url_expires_at: '2026-02-01T11:00:00.000Z',
  available_at: '2026-02-01T11:00:00.000Z',
  updated_at: '2026-02-01T11:00:00.000Z',
  version: 1,
} as unknown as Content['statement'];

/** Words of all lengths, so long in all. */
const words = (length: number): string => {
  const all =
    'The Honorable Society of Bakers and Confectioners of Upper Northampton County and Sons ';
  return all.repeat(3).slice(0, length).trimEnd().replace(/.$/, 'z');
};
const oneWord = 'W'.repeat(200);

async function bytesOf(
  {
    holder = 'Ana Reyes',
    details = [],
    institution = sampleInstitution,
    net = -1_00,
  }: Partial<Given>,
  language: StatementLanguage = 'en',
): Promise<Uint8Array> {
  const lines = details.map(
    (detail): Line => ({ day: '2026-01-31', type: 'payment_sent', detail, net, fee: 50 }),
  );
  const content: Content = {
    statement,
    issuer: 'A Tenant',
    holder,
    institution,
    isIndividual: true,
    lines,
    transactions: lines.length,
    summed: false,
    credits: 0,
    debits: lines.length * 1_00,
    fees: 0,
    feesOfYear: 0,
  };
  const chunks: Buffer[] = [];
  for await (const chunk of await statementPdf(content, language)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
interface Given {
  readonly holder: string;
  readonly details: readonly string[];
  readonly institution: Content['institution'];
  readonly net: number;
}

const read = async (given: Partial<Given>, language?: StatementLanguage) =>
  readPdf(await bytesOf(given, language));
const unspaced = (text: string) => text.replaceAll(/\s/g, '');
const isFooter = (text: string) => /, (page|página) \d+$/.test(text);
const textOf = ({ pages }: ReadPdf) =>
  unspaced(
    pages
      .flat()
      .filter((text) => !isFooter(text))
      .join(''),
  );
/** A text as the element of a PDF says it to a screen reader. */
const spokenAs = (text: string) =>
  Buffer.from(text, 'utf16le')
    .swap16()
    .toString('latin1')
    .replaceAll(/[\\()]/g, '\\$&');

/** Everything that stands outside the margins or touches what is written to the right of it. */
function misplaced({ placed }: ReadPdf) {
  return placed.filter(({ page, text, x, y, width }) => {
    if (isFooter(text)) return false;
    const touches = placed.some(
      (other) =>
        other.page === page && Math.abs(other.y - y) < 6 && other.x > x && other.x < x + width,
    );
    return touches || x < 53.9 || x + width > 558.1 || y < 54 || y > 792 - 54;
  });
}

describe.each(Object.keys(statementTexts) as StatementLanguage[])(
  'in the language %s',
  (language) => {
    test.each([
      ['of many words', words(201)],
      ['of one word', oneWord],
      ['in Chinese characters', '寿司屋本店'.repeat(40)],
      ['in Cyrillic letters', 'Общество пекарей и кондитеров '.repeat(6).trim()],
    ])(
      'a long name %s is whole: the holder, the institution and the other side',
      async (_, name) => {
        const institution = { ...sampleInstitution, name, bank: words(99), address: words(200) };
        const found = await read({ holder: name, institution, details: [name, 'Café'] }, language);
        const text = textOf(found);
        const texts = statementTexts[language];
        for (const part of [texts.holder(name), texts.heldBy(institution), institution.address])
          expect(text).toContain(unspaced(part));
        expect(text.split(unspaced(name)).length - 1).toBeGreaterThanOrEqual(4);
        expect(text).not.toContain('…');
        expect(misplaced(found)).toEqual([]);
      },
    );

    test('an amount of a hundred million is whole', async () => {
      const found = await read({ details: ['Café'], net: -123_456_789_00 }, language);
      expect(found.pages.flat().filter((text) => text === '-$123,456,789.00')).toHaveLength(2);
      expect(misplaced(found)).toEqual([]);
    });
  },
);

describe('a list of several pages', () => {
  const details = Array.from({ length: 90 }, (_, index) =>
    index % 3 === 0 ? `Café ${index}` : `${words(60 + ((index * 7) % 141))} ${index}`,
  );
  let found: ReadPdf;
  beforeAll(async () => {
    found = await read({ details });
  });

  test('each row stands on one page, below the names of its columns', () => {
    expect(found.pages.length).toBeGreaterThan(4);
    const columns = statementTexts.en.columns;
    for (const texts of found.pages.slice(1)) {
      const rows = texts.slice(0, texts.indexOf(statementTexts.en.inquiries));
      if (rows[0] !== columns[0]) continue;
      expect(rows.slice(0, 6)).toEqual(columns);
      expect(rows[6]).toBe('Jan 31, 2026');
    }
    expect(misplaced(found)).toEqual([]);
  });

  test('each other side is named in full, in the order of the list', () => {
    const text = textOf(found);
    let place = text.indexOf('Details');
    for (const detail of details) {
      const at = text.indexOf(unspaced(detail), place);
      expect(at, detail).toBeGreaterThan(place);
      place = at;
    }
  });

  test('a row says to a screen reader six cells, and is read once', () => {
    const cells = found.roles.filter((role) => role === 'TD');
    expect(cells).toHaveLength(2 * 6 + 6 * details.length);
    expect(found.roles.filter((role) => role === 'TH')).toHaveLength(2 + 6);
  });
});

test.each(['寿'.repeat(100), 'مخبز الشام '.repeat(12).trim(), 'Ł'.repeat(90)])(
  'a name that is broken, or runs from right to left, is whole for a screen reader: %s',
  async (name) => {
    const source = Buffer.from(await bytesOf({ details: [name] })).toString('latin1');
    expect(source.includes(spokenAs(name))).toBe(true);
  },
);

test('lines break at spaces, within a word that is too wide alone, and never before a mark', () => {
  const widthOf = (text: string) => [...text.normalize('NFD').replaceAll(/\p{M}/gu, '')].length;
  expect(linesOf(widthOf, 'one two three', 7)).toEqual(['one two', 'three']);
  expect(linesOf(widthOf, 'a bcdefghijkl m', 5)).toEqual(['a', 'bcdef', 'ghijk', 'l m']);
  expect(linesOf(widthOf, 'x\u0301'.repeat(5), 2)).toEqual([
    'x\u0301x\u0301',
    'x\u0301x\u0301',
    'x\u0301',
  ]);
  expect(linesOf(widthOf, 'wide', 0)).toEqual(['w', 'i', 'd', 'e']);
  expect(linesOf(widthOf, '', 5)).toEqual(['']);
});
