import { documentTypes } from '@tenant-payments/contract/resources/documents.ts';
import { expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { openHostedPages } from '../../test/kit/pages/hosted.ts';
import { openServer } from '../../test/kit/server.ts';

/** Each version of a document has texts of its own, kept for ever (rules/documents#14). */

const server = await openServer({ manual: true });
const { api, service } = server;
const pages = openHostedPages(server);
const ana = await api.approved('individual');

const texts = (search = '') => api.get(`/portal/api/legal-texts${search}`);
const publish = (body: object, type = 'privacy_notice') =>
  api.call('POST', `/portal/api/review/documents/${type}/publish`, { body });
const acceptedBy = async (search = ''): Promise<ReplyBody[]> => {
  const { data } = await api.get(`/portal/api/customers/${ana.customerId}/documents${search}`);
  return data.filter(({ document_type }: ReplyBody) => document_type === 'privacy_notice');
};
const second = newVersion('2026-02-15');

test('a new Tenant has a sample of each document in both languages, which says that it is one', async () => {
  const { data } = await texts();
  expect(data.map((row: ReplyBody) => row.document_type).sort()).toEqual([...documentTypes].sort());
  for (const { version, title, text } of data) {
    expect(version).toBe('2026-01');
    expect(text.en).toContain('**Sample text.**');
    expect(text.es).toContain('**Texto de muestra.**');
    expect(title.en).not.toBe(title.es);
  }
});

test.each([
  ['parameter_missing', 'version', undefined, { version: undefined }],
  ['parameter_missing', 'title', undefined, { title: null }],
  ['parameter_missing', 'text', undefined, { text: undefined }],
  ['parameter_missing', 'title.es', undefined, { title: { en: 'Terms' } }],
  ['parameter_missing', 'text.en', undefined, { text: { es: 'Condiciones' } }],
  ['parameter_invalid', 'text.es', 'empty', { text: { en: 'Terms', es: '' } }],
  ['parameter_invalid', 'text.en', 'nothing_visible', { text: { en: ' \n', es: 'Condiciones' } }],
  [
    'parameter_invalid',
    'text.en',
    'too_intricate',
    { text: { en: `a ${'>'.repeat(9)}\n${'>'.repeat(150)}`, es: 'b' } },
  ],
  [
    'parameter_invalid',
    'text.es',
    'too_intricate',
    { text: { en: 'a', es: '_a*b_'.repeat(30_000 / 6) } },
  ],
  ['parameter_invalid', 'title.en', 'too_long', { title: { en: 'x'.repeat(201), es: 'x' } }],
  ['parameter_invalid', 'text.fr', 'unknown_field', { text: { en: 'a', es: 'b', fr: 'c' } }],
  ['parameter_invalid', 'version', 'format', { version: '2026-13' }],
  ['parameter_invalid', 'version', 'format', { version: 'v2' }],
  ['parameter_invalid', 'version', 'already_published', { version: '2026-01' }],
  ['parameter_invalid', 'version', 'not_newer', { version: '2025-12-31' }],
  ['parameter_invalid', 'amount', 'not_of_this_move', { amount: 1 }],
])('a publication is refused: %s %s %s', async (code, param, reason, change) => {
  const before = await texts();
  const { status, body } = await publish({ ...second, ...change });
  expect([status, body.error.code, body.error.param]).toEqual([400, code, param]);
  expect(body.error.details?.reason).toBe(reason);
  expect(await texts()).toEqual(before);
});

test('what a customer accepted is shown word for word, also when a newer version is in force', async () => {
  const [{ legal_text: first }] = (await acceptedBy()) as [ReplyBody];
  expect((await publish(second)).body).toMatchObject({ version: '2026-02-15', customers: 1 });
  expect((await publish(second)).body.error.details).toMatchObject({ reason: 'already_published' });

  const page = await pages.flow('terms_acceptance', ana.customerId);
  const { texts: shown, documents } = await page.read();
  expect(shown).toMatchObject([{ document_type: 'privacy_notice', ...second }]);
  await page.ask('/terms', { decision: 'accepted', documents });

  const [now, then] = await acceptedBy('?include=superseded');
  expect(now).toMatchObject({ status: 'accepted', legal_text: second });
  expect(then).toMatchObject({ status: 'superseded', version: '2026-01', legal_text: first });
  const found = await texts('?document_type=privacy_notice&version=2026-01');
  expect(found.data).toEqual([first]);
});

test('a long text in both languages is taken', async () => {
  const long = 'word '.repeat(29_000).trim();
  const { status } = await publish({ ...newVersion('2026-03'), text: { en: long, es: long } });
  expect(status).toBe(200);
});

test('no text can be changed or deleted, and another Tenant has its own', async () => {
  for (const sql of [
    `update legal_texts set text_en = 'other'`,
    'update legal_texts set revision = revision + 1',
    'delete from legal_texts',
    'truncate legal_texts',
  ])
    await expect(service.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  const other = server.apiOf(await server.anotherTenant());
  const { data } = await other.get('/portal/api/legal-texts');
  expect(data.every(({ version }: ReplyBody) => version === '2026-01')).toBe(true);
});
