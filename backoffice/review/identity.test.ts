import { expect, test } from 'vitest';
import { manualIdentity } from '../../test/kit/manual_identity.ts';
import { application, code, person } from '../../test/kit/pages/applicant.ts';
import { openHostedPages, refusalLine } from '../../test/kit/pages/hosted.ts';
import { openServer } from '../../test/kit/server.ts';

/** The opening of the vault, by one reviewer or by two people (rules/identity#6). */

const server = await openServer({ own: true, manual: true, config: manualIdentity });
const { api } = server;
const pages = openHostedPages(server);

const photoId = { kind: 'photo_id', file: Buffer.from('%PDF-1.4 an ID').toString('base64') };
const pin = '847261';

async function apply(token: string, given: object) {
  const page = await pages.page(token);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  await page.ask('/identity-documents', photoId);
  expect(refusalLine(await page.ask('/onboarding', { ...application, ...given }))).toBe('200');
  await server.runJobs();
}

/** A customer who has applied, and the paths by which a reviewer opens data and document. */
async function applied() {
  const { id, onboarding_session } = await api.customer('individual');
  await apply(onboarding_session.token, { pin });
  const at = `/portal/api/identity/customers/${id}`;
  const { documents } = await api.get(at);
  return { id: String(id), at, paths: [`${at}/open`, `${at}/documents/${documents[0].id}/open`] };
}
type Applied = Awaited<ReturnType<typeof applied>>;

const decide = (id: string, move: string) =>
  api.post(`/portal/api/review/customers/${id}/${move}`, { note: 'seen' });
/** How the opening of each is answered, and who may open it as the case says. */
async function openings({ at, paths }: Applied) {
  const lines: string[] = [];
  for (const path of paths)
    lines.push(refusalLine(await server.call('POST', path, { token: server.token })));
  return [(await api.get(at)).opens, ...lines];
}
const alone = ['case', '200', '200'];
const byTwo = ['two_people', 'invalid_state approval_required', 'invalid_state approval_required'];

test('one reviewer alone opens nothing of a customer who was approved, not even by a new review', async () => {
  const ana = await applied();
  expect(await openings(ana)).toEqual(alone);
  await decide(ana.id, 'approve');
  expect(await openings(ana)).toEqual(byTwo);
  await decide(ana.id, 'review');
  expect(await openings(ana)).toEqual(byTwo);
  await decide(ana.id, 'request_more');
  expect(await openings(ana)).toEqual(byTwo);
  await decide(ana.id, 'open_identity');
  expect(await openings(ana)).toEqual(['two_people', '200', '200']);
});

test('what was given after the last decision is the case again, until it is decided', async () => {
  const ana = await applied();
  await decide(ana.id, 'approve');
  await decide(ana.id, 'review');
  await decide(ana.id, 'request_more');
  await api.advance(1);
  const session = await api.post('/v1/sessions', { customer_id: ana.id, flow: 'onboarding' });
  await apply(session.token, { person: { ...person, birth_date: '1987-03-15' } });
  expect(await openings(ana)).toEqual(alone);
  await decide(ana.id, 'approve');
  await decide(ana.id, 'review');
  expect(await openings(ana)).toEqual(byTwo);
});

test('somebody who was rejected and applies again is a case again', async () => {
  const ana = await applied();
  await decide(ana.id, 'reject');
  expect(await openings(ana)).toEqual(byTwo);
  await api.advance(86_400);
  const session = await api.post('/v1/sessions', { customer_id: ana.id, flow: 'onboarding' });
  await apply(session.token, {});
  expect(await openings(ana)).toEqual(alone);
});

test('what a customer has given is no case while more is asked for, and is one again once it came', async () => {
  const ana = await applied();
  await decide(ana.id, 'request_more');
  expect(await openings(ana)).toEqual(byTwo);
  const session = await api.post('/v1/sessions', { customer_id: ana.id, flow: 'onboarding' });
  await apply(session.token, {});
  expect(await openings(ana)).toEqual(alone);
});
