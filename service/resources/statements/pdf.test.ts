import { beforeAll, describe, expect, test } from 'vitest';
import { sampleInstitution } from '../../../contract/core/institutions.ts';
import { type ReadPdf, readPdf } from '../../../test/kit/files/pdf.ts';
import { reachable } from '../../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { type Content, longestList } from './content.ts';
import { inVisualOrder } from './lettering/visual_order.ts';
import { statementPdf } from './pdf.ts';
import { dollars, onOneLine } from './words.ts';

let ana: Person;
let cafe: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
beforeAll(async () => {
  const fee = { payment_type: 'consumer_to_merchant', source: 'balance', fixed: 0 } as const;
  await engine.change({
    fees: [{ ...fee, type: 'platform', basis_points: 50, paid_by: 'payee' }],
    branding: { name: hostile, logo_url: null, primary_color: '#1f5eff' },
  });
  ana = await api.banked('individual');
  cafe = await api.banked('business', 'savings');
});

const told = { institution: sampleInstitution, isIndividual: true, fees: 0, feesOfYear: 0 };

/** Text that could break a PDF, a table or a reader. */
const hostile = '=cmd()\\(/JS (x)) endobj gnp.exe\u0007\r\n%PDF';

async function download(person: Person): Promise<{ statement: ReplyBody; bytes: Uint8Array }> {
  const [statement] = (await api.get(`/v1/accounts/${person.accountId}/statements`)).data;
  const reply = await fetch(reachable(server, statement.download_url));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/pdf');
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="statement-${statement.period_start}-${statement.period_end}.pdf"`,
  );
  return { statement, bytes: new Uint8Array(await reply.arrayBuffer()) };
}

const textsOf = ({ pages }: ReadPdf) => pages.flat();
/** The text after a label. */
const behind = (texts: readonly string[], name: string) => texts[texts.indexOf(name) + 1];

describe('a month of movements', () => {
  let statement: ReplyBody;
  let bytes: Uint8Array;
  let pdf: ReadPdf;
  let shown: ReplyBody[];

  beforeAll(async () => {
    await api.fund(ana, 2_000_00);
    for (let count = 1; count <= 40; count += 1)
      await api.confirmed(
        api.pay(ana, cafe, count * 1_01, {
          description: count % 2 === 0 ? hostile : `Žoë 李 ${count}`,
        }),
      );
    const sent = await api.confirmed(api.withdraw(ana, 70_00));
    await api.simulate('withdrawal.settled', sent.id);
    await api.post('/portal/api/clock/advance', { to: '2026-02-01T12:00:00.000Z' });
    // A later load is not in the statement of January.
    await api.fund(ana, 1_00);
    ({ statement, bytes } = await download(ana));
    pdf = await readPdf(bytes.slice());
    const page = await api.get(`/v1/accounts/${ana.accountId}/transactions?limit=100`);
    shown = page.data.filter(({ posted_at }: ReplyBody) => posted_at < '2026-02-01').reverse();
  });

  test('its balances and totals are those of the API', () => {
    const texts = textsOf(pdf);
    const sum = (direction: string) =>
      shown
        .filter((one) => one.direction === direction)
        .reduce((cents, { net_amount }) => cents + net_amount, 0);
    expect(behind(texts, 'Opening balance')).toBe(dollars(statement.opening_balance));
    expect(behind(texts, 'Total credits')).toBe(dollars(sum('credit')));
    expect(behind(texts, 'Total debits')).toBe(dollars(-sum('debit')));
    expect(behind(texts, 'Closing balance')).toBe(dollars(statement.closing_balance));
    expect(statement.opening_balance + sum('credit') - sum('debit')).toBe(
      statement.closing_balance,
    );
  });

  test('it lists each Transaction in order, with the balance after it', () => {
    expect(shown).toHaveLength(42);
    const texts = textsOf(pdf);
    let balance = statement.opening_balance;
    let place = texts.indexOf('Balance', texts.indexOf('Transactions'));
    for (const { direction, net_amount } of shown) {
      const signed = direction === 'credit' ? net_amount : -net_amount;
      balance += signed;
      const found = texts.indexOf(dollars(signed), place);
      expect(found).toBeGreaterThan(place);
      expect(texts[found + 1]).toBe(dollars(balance));
      place = found;
    }
    expect(pdf.pages.length).toBeGreaterThan(1);
  });

  test('it names the holder, the account and the period', () => {
    const texts = textsOf(pdf);
    expect(texts).toContain('Account holder: Ana Reyes');
    expect(texts).toContain(
      `Digital account ending in ${ana.accountId.slice(-4)}, account ID: ${ana.accountId}`,
    );
    expect(texts).toContain(`Statement ID: ${statement.id}`);
    expect(texts).toContain(
      'Statement period: January 20, 2026 to January 31, 2026 (Eastern Time)',
    );
  });

  test('it is tagged: language, title, headings, tables with column heads', () => {
    expect(pdf.title).toBe('Account statement 2026-01-20 to 2026-01-31');
    expect(pdf.language).toBe('en-US');
    const count = (role: string) => pdf.roles.filter((found) => found === role).length;
    expect(count('H1')).toBe(1);
    expect(count('H2')).toBe(2);
    expect(count('Table')).toBeGreaterThanOrEqual(2);
    expect(count('TH')).toBe(2 + 6);
    expect(count('TD')).toBe(2 * 6 + 6 * shown.length);
    const source = Buffer.from(bytes).toString('latin1');
    expect(
      ['/MarkInfo', '/Marked true', '/DisplayDocTitle true'].filter((key) => !source.includes(key)),
    ).toEqual([]);
    expect(source.match(/\/Scope \/Column/g)).toHaveLength(2 + 6);
  });

  test('it holds no script or link, whatever a customer or a Tenant wrote', () => {
    expect(pdf.hasScript).toBe(false);
    const source = Buffer.from(bytes).toString('latin1');
    for (const name of ['/JavaScript', '/OpenAction', '/AA', '/Launch', '/URI', '/EmbeddedFile'])
      expect(source).not.toMatch(new RegExp(`${name}\\b`));
    // Allowed as escaped text, not as a key of the document.
    expect(source.replaceAll('\\(', '').replaceAll(/\((?:\\.|[^\\)])*\)/g, '')).not.toMatch(
      /\/JS\b/,
    );
    expect(textsOf(pdf).join(' ')).toContain('=cmd()\\(/JS (x)) endobj gnp.exe %PDF');
  });

  test('a name is shown in its own letters', () => {
    expect(textsOf(pdf).join('').replaceAll(' ', '')).toContain('Žoë李1');
    expect(Buffer.from(bytes).toString('latin1')).toContain('DejaVuSans');
  });

  test('the same statement gives the same bytes', async () => {
    expect(Buffer.compare((await download(ana)).bytes, bytes)).toBe(0);
  });
});

test('a month without movements says so', async () => {
  await api.post('/portal/api/clock/advance', { to: '2026-03-01T12:00:00.000Z' });
  const { statement, bytes } = await download(cafe);
  expect(statement.opening_balance).toBe(statement.closing_balance);
  const texts = textsOf(await readPdf(bytes));
  expect(texts).toContain('There were no transactions in this period.');
  expect(behind(texts, 'Closing balance')).toBe(dollars(statement.closing_balance));
});

test('a statement whose Transactions do not add up is not written', async () => {
  const { service, tenant } = server;
  const change = (cents: number) =>
    service.pool.query(
      'update statements set closing_balance = closing_balance + $2 where tenant_id = $1',
      [tenant.tenantId, cents],
    );
  await change(1);
  const [statement] = (await api.get(`/v1/accounts/${ana.accountId}/statements`)).data;
  expect((await fetch(reachable(server, statement.download_url))).status).toBe(500);
  await change(-1);
});

test('the longest list is written in pieces and does not block the process', async () => {
  const line = { day: '2026-01-31', type: 'load', detail: 'Standard Bank 1234', net: 1, fee: 0 };
  const [row] = (await server.service.pool.query('select * from statements order by id limit 1'))
    .rows;
  const content: Content = {
    statement: { ...row, opening_balance: 0 },
    issuer: 'A Tenant',
    holder: 'Ana R.',
    lines: Array.from({ length: 1_000 }, () => line) as Content['lines'],
    transactions: 1_000,
    summed: false,
    credits: 1_000,
    debits: 0,
    ...told,
  };
  expect(longestList).toBeGreaterThanOrEqual(content.lines.length);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const chunks: Buffer[] = [];
  for await (const chunk of await statementPdf(content)) chunks.push(chunk);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
  const { roles } = await readPdf(new Uint8Array(Buffer.concat(chunks)));
  expect(roles.filter((role) => role === 'TD')).toHaveLength(6 * 1_000 + 2 * 6);
});

async function pdfOf(holder: string, detail: string): Promise<Uint8Array> {
  const [row] = (await server.service.pool.query('select * from statements order by id limit 1'))
    .rows;
  const line = { day: '2026-01-31', type: 'load', detail, net: 1, fee: 0 } as const;
  const chunks: Buffer[] = [];
  const content = { statement: { ...row, opening_balance: 0 }, issuer: 'A Tenant', holder };
  const sums = { transactions: 1, summed: false, credits: 1, debits: 0, ...told };
  for await (const chunk of await statementPdf({ ...content, ...sums, lines: [line] }))
    chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

test.each([
  'Zoë Łukasiewicz',
  'Nguyễn Thị Hạnh',
  'Banco de América',
  'Юлия Ёлкина',
  '寿司屋のラーメン',
  '陈龙 國龍',
  '김한국',
  'Café 寿司屋 Łódź',
])('%s is shown in its own letters', async (name) => {
  const texts = textsOf(await readPdf(await pdfOf(name, name)));
  expect(texts.join('').replaceAll(' ', '')).toContain(`Accountholder:${name}`.replaceAll(' ', ''));
});

test('a name from right to left keeps the order of its words, and the amount its place', async () => {
  const texts = textsOf(await readPdf(await pdfOf('x', 'مخبز الشام 24 שלום')));
  expect(texts.join(' ')).toContain('مخبز');
  expect(inVisualOrder('To مخبز الشام 24 (now)').map(({ text }) => text)).toEqual([
    'To ',
    '24',
    'مخبز الشام ',
    ' (now)',
  ]);
});

test('a statement in Latin letters embeds no font, and one with others only the letters it has', async () => {
  const plain = await pdfOf('Ana Reyes', 'José’s café');
  expect(Buffer.from(plain).toString('latin1')).not.toContain('FontFile');
  const special = await pdfOf('Zoë Łukasiewicz', '寿司屋');
  expect(special.length - plain.length).toBeLessThan(20_000);
});

test('a letter that no font has is a question mark', async () => {
  expect(textsOf(await readPdf(await pdfOf('x', 'Łódź \u{1f381}!'))).join('')).toContain('Łódź ?!');
});

test('amounts are written in dollars, and texts on one line', () => {
  expect([0, 5, -5, 100, 123_456_789, -100_000_000_000].map(dollars)).toEqual([
    '$0.00',
    '$0.05',
    '-$0.05',
    '$1.00',
    '$1,234,567.89',
    '-$1,000,000,000.00',
  ]);
  expect(['Zoë', 'a\nb\tc', 'e\u0301', '\u202eabc', 'a\u200b', '日本'].map(onOneLine)).toEqual([
    'Zoë',
    'a b c',
    'é',
    'abc',
    'a',
    '日本',
  ]);
});
