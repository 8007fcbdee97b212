import { expect, test } from 'vitest';
import { readPdf } from '../../../../test/kit/files/pdf.ts';
import { reachable } from '../../../../test/kit/files/report_files.ts';
import { uuid } from '../../../../test/kit/ids.ts';
import { application, code } from '../../../../test/kit/pages/applicant.ts';
import { openHostedPages, pin, refusalLine } from '../../../../test/kit/pages/hosted.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { english } from '../../../resources/customers/documents/samples/en.ts';
import { spanish } from '../../../resources/customers/documents/samples/es.ts';

/** Consent to electronic records, and its end [15 USC 7001(c)]. */

const server = await openServer({ manual: true });
const { api, engine, token } = server;
const pages = openHostedPages(server);

/** An applicant with a proven number, who has opened nothing. */
async function applicant() {
  const { id, onboarding_session } = await api.customer('individual');
  const { bearer } = (await pages.ask('/open', { token: onboarding_session.token })).body;
  await pages.ask('/code', {}, bearer);
  await pages.ask('/code/check', { code }, bearer);
  const shown = await server.call('GET', '/hosted/api/documents', { token: bearer });
  const url = reachable(server, shown.body.sample_statement_url);
  const apply = async () =>
    refusalLine(await pages.ask('/onboarding', { ...application, pin }, bearer));
  return { id, url, apply };
}

test('an applicant consents to electronic records only after opening a sample statement', async () => {
  const { id, url, apply } = await applicant();
  expect(await apply()).toBe('invalid_state sample_not_opened');
  await fetch(url, { method: 'HEAD' });
  expect(await apply()).toBe('invalid_state sample_not_opened');
  const reply = await fetch(url);
  const pdf = await readPdf(new Uint8Array(await reply.arrayBuffer()));
  expect(pdf.pages.flat().join(' ')).toContain('This is a sample.');
  expect(pdf.spoken).toContain('In Case of Errors or Questions About Your Electronic Transfers');
  expect(await apply()).toBe('200');
  const rows = await engine.query<{ document_type: string; is_shown: boolean }>(
    `select document_type, shown_at is not null as is_shown from documents
      where tenant_id = $1 and customer_id = $2 order by document_type`,
    uuid('customer', id),
  );
  expect(rows.filter(({ is_shown }) => is_shown).map(({ document_type }) => document_type)).toEqual(
    ['esign_consent'],
  );
});

test('the sample is there in Spanish, and its address is of one session', async () => {
  const [ana, other] = [await applicant(), await applicant()];
  const reply = await fetch(`${ana.url}?language=es`);
  expect((await readPdf(new Uint8Array(await reply.arrayBuffer()))).language).toBe('es-US');
  expect(await other.apply()).toBe('invalid_state sample_not_opened');
  expect(await ana.apply()).toBe('200');
});

test('a consent can be withdrawn and given again, and it is kept since when', async () => {
  const ana = await api.approved('individual');
  const move = (name: string) =>
    server.call('POST', `/portal/api/review/customers/${ana.customerId}/${name}`, {
      token,
      body: { note: 'By letter.' },
    });
  const since = async () =>
    (
      await engine.query<{ paper_since: string | null }>(
        'select paper_since from customers where tenant_id = $1 and id = $2',
        uuid('customer', ana.customerId),
      )
    )[0]?.paper_since;
  await move('restore_electronic');
  expect(await since()).toBeNull();
  expect((await move('withdraw_electronic')).status).toBe(200);
  const first = await since();
  expect(first).toEqual(expect.any(String));
  await api.advance(60);
  expect((await move('withdraw_electronic')).status).toBe(200);
  expect(await since()).toEqual(first);
  expect((await move('restore_electronic')).status).toBe(200);
  expect(await since()).toBeNull();
});

test('the sample of the consent says that the account stays open, on paper and without a fee', () => {
  const said = ({ text }: { text: string }) => text.replaceAll('\n', ' ');
  expect(said(english.esign_consent)).toMatch(/stays open.* on paper.* charge nothing/);
  expect(said(spanish.esign_consent)).toMatch(/sigue abierta.* en papel.* no le cobramos nada/);
});
