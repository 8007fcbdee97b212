import { expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import { readPdf } from '../../test/kit/files/pdf.ts';
import { reachable } from '../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { letterKinds } from '../contract/operate/dispute_letters.ts';

/** The clock starts on 20 January 2026. */
const { api, server } = await openDisputes({ bank: { take: async () => {} } });
const ana = await api.funded('individual', 2_000_00);
const cafe = await api.banked('business');

async function pdfOf({ id }: ReplyBody, kind: string, language: string) {
  const { download_url } = await api.get(`/portal/api/disputes/${id}/letters/${kind}`);
  const reply = await fetch(`${reachable(server, download_url)}?language=${language}`);
  expect(reply.status).toBe(200);
  return readPdf(new Uint8Array(await reply.arrayBuffer()));
}
const textOf = async (made: ReplyBody, kind: string) =>
  (await pdfOf(made, kind, 'es')).pages.flat().join(' ');
const disputed = async (steps: readonly string[], what: object = {}): Promise<ReplyBody> => {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const made = api.dispute(ana, { payment_id: payment.id, ...what });
  return api.played(made, ...steps.map((step) => `dispute.${step}`));
};
const english = /\b(the|your|you|we|notice|account|dispute|transaction|of|and)\b/i;
/** Texts that people wrote: they stay as they are. */
const asWritten =
  /Test Tenant|Sample Institution|100 Sample Street|Anytown|weekdays[^)]*|Eastern Time|This letter is also available in English\.|This is a sandbox: nobody has investigated\./gi;

test('every letter is there in Spanish, tagged with its title and language, without an English word of ours', async () => {
  const denied = await disputed(['investigating', 'provisional_credit', 'resolved_denied']);
  const answered = await disputed(['resolved_denied']);
  const again = await api.dispute(ana, { payment_id: answered.payment_id });
  const written: readonly (readonly [ReplyBody, string, string])[] = [
    [denied, 'provisional_credit', 'Aviso de abono provisional'],
    [denied, 'denial', 'Aviso de denegación'],
    [again, 'reasserted', 'Sobre su aviso repetido'],
    [await disputed(['resolved_approved']), 'correction', 'Aviso de corrección'],
    [await disputed(['resolved_partial']), 'result', 'Aviso de resultado'],
  ];
  for (const [made, kind, name] of written) {
    const { title, language, pages } = await pdfOf(made, kind, 'es');
    expect([title, language]).toEqual([name, 'es-US']);
    const text = pages.flat().join(' ');
    expect(text).toContain('This letter is also available in English.');
    expect(text.replaceAll(asWritten, ''), kind).not.toMatch(english);
    const inEnglish = await pdfOf(made, kind, 'en');
    expect(inEnglish.language).toBe('en-US');
    expect(inEnglish.pages.flat().join(' ')).toContain('también está disponible en español');
  }
  expect(letterKinds.length).toBe(written.length + 1);
});

test('a denial says in Spanish what the law asks: findings, the way to the documents, amount and day of the debit', async () => {
  const made = await disputed(['investigating', 'provisional_credit', 'resolved_denied']);
  const text = await textOf(made, 'denial');
  for (const part of [
    'Estimado/a Ana Reyes:',
    `Número de reclamo ${made.id}`,
    'Tipo de aviso Transferencia no autorizada',
    'Movimiento Pago enviado',
    'no encontramos ninguna transferencia no autorizada.',
    'This is a sandbox: nobody has investigated.',
    'Puede pedirnos copias de los documentos en los que nos basamos para esta decisión: llame al (212) 555-0100',
    'El 20 de enero de 2026 abonamos $100.00 en su cuenta como abono provisional.',
    'El 28 de enero de 2026 cargaremos a su cuenta este abono de $100.00.',
    'Hasta el 27 de enero de 2026, el quinto día hábil',
    'Esta carta es un aviso según la Regulación E, 12 CFR 1005.11.',
  ])
    expect(text).toContain(part);
});

test('the notice that is sent, and the preview before it is decided, have both languages', async () => {
  const made = await disputed(['investigating']);
  const { letter } = await api.post(`/portal/api/cases/disputes/${made.id}/preview`, {
    move: 'resolve_denied',
    finding: 'The code was confirmed from her own phone.',
  });
  expect(letter).toMatchObject({
    title: 'Notice of denial',
    greeting: 'Dear Ana Reyes,',
    in_spanish: { title: 'Aviso de denegación', greeting: 'Estimado/a Ana Reyes:' },
  });
  await api.played(made, 'dispute.provisional_credit');
  await server.runJobs();
  const sent = server.sent.filter(({ template }) => template === 'dispute_letter').at(-1);
  expect(sent?.rendered.subject).toBe('Notice of provisional credit / Aviso de abono provisional');
  expect(sent?.rendered.text).toContain('Puede usar todo este dinero mientras investigamos.');
});
