import { beforeAll, expect, test } from 'vitest';
import { endCalendar } from '../../../test/kit/calendar.ts';
import { realTexts } from '../../../test/kit/go_live.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { openHostedPages } from '../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { publishForAll } from '../customers/documents/publication.ts';
import { readLongerPeriods } from '../customers/documents/read.ts';
import { effectiveFrom } from './effective.ts';

/** A new version of a document holds for earlier customers 21 days after its notice [12 CFR 1005.8(a)]. */

const server = await openServer({ manual: true });
const { api, engine, sent, token } = server;
await endCalendar(server, 'statements', 'reserve_top_up');
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  ana = await api.banked('individual');
  cafe = await api.banked('business', 'savings');
});

const publish = (version: string, more: object = {}, type = 'digital_account_terms') => {
  const texts = realTexts(version).find(({ document_type }) => document_type === type);
  const { title, text } = texts ?? {};
  const body = { version, title, text, ...more };
  return server.call('POST', `/portal/api/review/documents/${type}/publish`, { token, body });
};
const inForce = async (type = 'digital_account_terms'): Promise<ReplyBody> =>
  (await api.get('/portal/api/document-versions')).data.find(
    ({ document_type }: ReplyBody) => document_type === type,
  );
const waiting = async (
  { customerId }: Person,
  type = 'digital_account_terms',
): Promise<ReplyBody> =>
  (await api.get(`/portal/api/customers/${customerId}/documents`)).data.find(
    (row: ReplyBody) => row.document_type === type && row.status === 'pending_acceptance',
  );
const told = () => sent.filter(({ template }) => template === 'terms_changed');
const now = async () => (await api.get('/portal/api/clock')).now;
const days = (count: number) => api.advance(count * 86_400);
const pages = openHostedPages(server);

test('it holds from the 22nd day after its notice on, and the page, the portal and the notice say so', async () => {
  sent.length = 0;
  const from = effectiveFrom(await now());
  expect((await publish('2026-02')).body).toMatchObject({ version: '2026-02', effective_at: from });
  await server.runJobs();
  expect(await inForce()).toMatchObject({ effective_at: from, security_reason: null });
  expect(await waiting(ana)).toMatchObject({ version: '2026-02', effective_at: from });
  const page = await pages.flow('terms_acceptance', ana.customerId);
  expect((await page.read()).texts).toMatchObject([{ version: '2026-02', effective_at: from }]);
  const [notice, ...more] = told();
  expect(more).toEqual([]);
  const words = `${notice?.rendered.subject} ${notice?.rendered.text}`;
  expect(words).toContain('It holds for your digital account from');
  expect(words).toContain('Se aplica a su cuenta digital desde el');
  // A business is no consumer: it is asked by its page alone.
  expect(await waiting(cafe)).toMatchObject({ version: '2026-02', effective_at: from });
});

test('longer periods that it says first are used from its day on, also of who accepts it at once', async () => {
  const eva = await api.banked('individual', 'standard-eva');
  const longer = () =>
    readLongerPeriods(server.service.db, engine.tenantId, uuid('customer', eva.customerId));
  const silent = (version: string) => {
    const [texts] = realTexts(version);
    const { en = '', es = '' } = texts?.text ?? {};
    return { text: { en: en.replace(/For new accounts,[^.]*\./, ''), es } };
  };
  const accept = async () => {
    await server.runJobs();
    const { customerId: customer_id } = eva;
    const session = await api.post('/v1/sessions', { customer_id, flow: 'terms_acceptance' });
    await api.simulate('session.completed', session.id);
  };
  expect(await longer()).toEqual({ areSaid: true, from: null });
  await publish('2026-03', silent('2026-03'));
  await accept();
  expect(await longer()).toEqual({ areSaid: false, from: null });
  await publish('2026-04');
  const from = effectiveFrom(await now());
  await accept();
  expect(await longer()).toEqual({ areSaid: true, from });
});

test('a reason of security lets it hold at once, is kept, and its notice says so', async () => {
  sent.length = 0;
  const security_reason = 'Stolen phones were used to pay on 3 March.';
  const at = await now();
  const { body } = await publish('2026-05', { security_reason });
  expect(body.effective_at <= (await now()) && body.effective_at >= at).toBe(true);
  await server.runJobs();
  expect(await inForce()).toMatchObject({ security_reason, effective_at: body.effective_at });
  const mine = await waiting(ana);
  expect(mine.effective_at <= (await now())).toBe(true);
  expect(JSON.stringify(told())).toContain('it holds for your digital account at once');
  // The reason is for staff.
  expect(JSON.stringify(told())).not.toContain('Stolen phones');
});

test('the day moves on while not everybody has been told', async () => {
  const [, , privacy] = realTexts('2026-06');
  expect(privacy?.document_type).toBe('privacy_notice');
  if (!privacy) return;
  const { effective_at: first } = await engine.run(publishForAll(server.service), privacy);
  await engine.query(
    `update jobs set due_at = due_at + interval '30 days', wake_at = wake_at + interval '30 days'
      where tenant_id = $1 and name = 'publication_spread'`,
  );
  expect((await inForce('privacy_notice')).effective_at).toBe(first);
  await days(31);
  await server.runJobs();
  const { effective_at, spread_at } = await inForce('privacy_notice');
  expect(effective_at).toBe(effectiveFrom(spread_at));
  expect(effective_at > first).toBe(true);
});

test('a version of this release is not spread by 1.0, which would tell nobody', async () => {
  const [texts] = realTexts('2026-07');
  if (!texts) throw new Error('there are texts');
  await engine.run(publishForAll(server.service), texts);
  const jobs = await engine.query(
    `select j.name from jobs j join document_publications p
      on p.tenant_id = j.tenant_id and p.id = j.ref
      where j.tenant_id = $1 and p.document_version = $2`,
    texts.version,
  );
  // 1.0 knows the job document_publication, and leaves this one alone.
  expect(jobs).toEqual([{ name: 'publication_spread' }]);
  sent.length = 0;
  await server.runJobs();
  expect(told().length).toBeGreaterThan(0);
});
