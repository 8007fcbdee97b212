import { beforeAll, describe, expect, test } from 'vitest';
import type { Institution } from '../../../contract/core/institutions.ts';
import { endCalendar } from '../../../test/kit/calendar.ts';
import { type ReadPdf, readPdf } from '../../../test/kit/files/pdf.ts';
import { reachable } from '../../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { dollars } from './words.ts';

const institution: Institution = {
  name: 'Harbor Programs, Inc.',
  bank: 'Harbor Bank, N.A.',
  address: '1 Pier Road, Albany, NY 12207',
  phone: '+15185550123',
  hours: 'weekdays, 8 am to 6 pm Eastern Time',
};

const server = await openServer({ manual: true });
const { api, engine } = server;
await endCalendar(server, 'statements');
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  const fee = {
    type: 'platform',
    payment_type: 'consumer_to_merchant',
    source: 'balance',
  } as const;
  await engine.change({
    fees: [{ ...fee, basis_points: 0, fixed: 30, paid_by: 'payer' }],
    institution,
  });
  ana = await api.banked('individual');
  cafe = await api.banked('business', 'savings');
  await api.fund(ana, 500_00);
});

const at = (to: string) => api.post('/portal/api/clock/advance', { to });
const pay = () => api.confirmed(api.pay(ana, cafe, 1_00));

async function addressOf(person: Person): Promise<string> {
  const [statement] = (await api.get(`/v1/accounts/${person.accountId}/statements`)).data;
  return reachable(server, statement.download_url);
}

async function read(person: Person, query = ''): Promise<ReadPdf> {
  const reply = await fetch(`${await addressOf(person)}${query}`);
  expect(reply.status).toBe(200);
  return readPdf(new Uint8Array(await reply.arrayBuffer()));
}

const textsOf = ({ pages }: ReadPdf) => pages.flat();
const behind = (texts: readonly string[], name: string) => texts[texts.indexOf(name) + 1];
/** The words from a heading on, without the footer. */
function wordsFrom({ spoken }: ReadPdf, heading: string): string {
  expect(spoken).toContain(heading);
  return spoken.slice(spoken.indexOf(heading)).join(' ');
}

/** Model form A-3(b), appendix A to 12 CFR 1005, with the institution of this test. */
const modelForm = `In Case of Errors or Questions About Your Electronic Transfers
Telephone us at (518) 555-0123 or write us at Harbor Programs, Inc., 1 Pier Road, Albany, NY 12207
as soon as you can, if you think your statement or receipt is wrong or if you need more information about a transfer on the statement or receipt. We must hear from you no later than 60 days after we sent you the FIRST statement on which the error or problem appeared.
(1) Tell us your name and account number (if any).
(2) Describe the error or the transfer you are unsure about, and explain as clearly as you can why you believe it is an error or why you need more information.
(3) Tell us the dollar amount of the suspected error.
We will investigate your complaint and will correct any error promptly. If we take more than 10 business days to do this, we will credit your account for the amount you think is in error, so that you will have the use of the money during the time it takes us to complete our investigation.`;

const enEspanol = `En caso de errores o preguntas sobre sus transferencias electrónicas
Llámenos al (518) 555-0123 o escríbanos a Harbor Programs, Inc., 1 Pier Road, Albany, NY 12207
lo antes posible si cree que su estado de cuenta o su recibo tiene un error, o si necesita más información sobre una transferencia que figura en ellos. Debemos recibir su aviso a más tardar 60 días después de haberle enviado el PRIMER estado de cuenta en el que apareció el error o el problema.
(1) Díganos su nombre y su número de cuenta (si lo tiene).
(2) Describa el error o la transferencia sobre la que tiene dudas y explique con la mayor claridad posible por qué cree que es un error o por qué necesita más información.
(3) Díganos el importe en dólares del supuesto error.
Investigaremos su reclamo y corregiremos cualquier error sin demora. Si tardamos más de 10 días hábiles en hacerlo, abonaremos en su cuenta el importe que usted considera equivocado, para que pueda usar el dinero durante el tiempo que nos tome completar la investigación.`;

describe('a statement of a consumer', () => {
  beforeAll(async () => {
    await pay();
    await pay();
    await at('2026-02-01T12:00:00.000Z');
  });

  test('ends with the notice of model form A-3, word for word', async () => {
    const pdf = await read(ana);
    const [heading = '', ...notice] = modelForm.split('\n');
    expect(wordsFrom(pdf, heading)).toBe([heading, ...notice].join(' '));
  });

  test('says in Spanish what it says in English, where its reader asks for it', async () => {
    const pdf = await read(ana, '?language=es');
    expect([pdf.language, pdf.title]).toEqual([
      'es-US',
      'Estado de cuenta del 2026-01-20 al 2026-01-31',
    ]);
    const [heading = '', ...notice] = enEspanol.split('\n');
    expect(wordsFrom(pdf, heading)).toBe([heading, ...notice].join(' '));
    expect(textsOf(pdf)).toContain('Pago enviado');
    expect(textsOf(pdf)).toContain(
      'Período: del 20 de enero de 2026 al 31 de enero de 2026 (hora del Este)',
    );
  });

  test('names the institution, and where to ask', async () => {
    const texts = textsOf(await read(ana));
    expect(texts).toContain('Institution: Harbor Programs, Inc., Harbor Bank, N.A.');
    const from = texts.indexOf('Direct inquiries to');
    expect(texts.slice(from + 1, from + 3)).toEqual([
      'Harbor Programs, Inc., 1 Pier Road, Albany, NY 12207',
      'Telephone: (518) 555-0123 (weekdays, 8 am to 6 pm Eastern Time)',
    ]);
  });

  test('is read by a screen reader in the order in which it is seen', async () => {
    for (const query of ['', '?language=es']) {
      const pdf = await read(ana, query);
      // A rule and a footer are no text of the structure.
      const seen = textsOf(pdf).filter((text) => pdf.spoken.includes(text));
      expect(pdf.spoken.length).toBeGreaterThan(30);
      expect([...pdf.spoken]).toEqual(seen);
    }
  });
});

test('a business has the institution on its statement, and no notice of rights that it has not', async () => {
  const texts = textsOf(await read(cafe));
  expect(texts).toContain('Direct inquiries to');
  expect(texts.join(' ')).not.toContain('In Case of Errors');
});

test('fees are added up for the period and for the year, which begins anew in January', async () => {
  const fees = async (year: number) => {
    const texts = textsOf(await read(ana));
    return [behind(texts, 'Fees of this period'), behind(texts, `Fees of ${year} so far`)];
  };
  expect(await fees(2026)).toEqual([dollars(60), dollars(60)]);
  await pay();
  await at('2026-03-01T12:00:00.000Z');
  expect(await fees(2026)).toEqual([dollars(30), dollars(90)]);
  await at('2027-01-01T12:00:00.000Z');
  expect(await fees(2026)).toEqual([dollars(0), dollars(90)]);
  await pay();
  await at('2027-02-01T12:00:00.000Z');
  expect(await fees(2027)).toEqual([dollars(30), dollars(30)]);
});

test('a language that there is none of is refused', async () => {
  const reply = await fetch(`${await addressOf(ana)}?language=fr`);
  expect(reply.status).toBe(400);
  expect(((await reply.json()) as ReplyBody).error).toMatchObject({
    code: 'parameter_invalid',
    param: 'language',
    details: { reason: 'enum', allowed: ['en', 'es'] },
  });
});
