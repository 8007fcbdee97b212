import { expect, test } from 'vitest';
import { manualIdentity } from '../../../../test/kit/manual_identity.ts';
import { person } from '../../../../test/kit/pages/applicant.ts';
import { openHostedPages, refusalLine } from '../../../../test/kit/pages/hosted.ts';
import { openServer } from '../../../../test/kit/server.ts';

/** Documents of the owners of a business, given by their links under `IDENTITY=manual` (rules/identity#13). */

const server = await openServer({ own: true, manual: true, config: manualIdentity });
const { api, sent } = server;
const pages = openHostedPages(server);

const pdf = Buffer.from('%PDF-1.4 an ID').toString('base64');
const photoId = { kind: 'photo_id', file: pdf };
const give = (token: string, body: object = photoId) =>
  pages.ask('/owner/identity-documents', body, token);

/** A business with an invited owner, and the token of the link. */
async function invited() {
  const customer = await api.customer('business');
  const page = await pages.page(customer.onboarding_session.token);
  const owner = { name: 'Cy Reyes', role: 'owner', ownership_percent: 40 };
  const { body } = await page.ask('/owners', { owner, email: 'cy@example.com' });
  const { link = '' } = (sent.at(-1) as unknown as { data: { link?: string } }).data;
  return {
    page,
    customerId: String(customer.id),
    ownerId: String(body.onboarding.owners[0].id),
    token: new URL(link).hash.slice(1),
  };
}

test('an owner gives a photo ID by the link before the data is taken, and the reviewer opens it', async () => {
  const { token, ownerId, customerId } = await invited();
  const opened = await pages.ask('/owner/open', { token });
  expect(opened.body.identity_documents).toEqual({ wanted: ['photo_id'], given: [] });
  const submit = () => pages.ask('/owner', { token, person });
  expect(refusalLine(await submit())).toBe('invalid_state identity_documents_missing');
  const { status, body } = await give(token);
  expect([status, body.identity_documents]).toEqual([
    200,
    { wanted: ['photo_id'], given: ['photo_id'] },
  ]);
  expect((await submit()).status).toBe(200);
  await server.runJobs();
  const at = `/portal/api/identity/owners/${ownerId}`;
  const kept = await api.get(at);
  expect(kept).toMatchObject({ opens: 'case', missing: [], documents: [{ kind: 'photo_id' }] });
  const { file } = await api.post(`${at}/documents/${kept.documents[0].id}/open`);
  expect(file).toBe(pdf);
  const { owners } = await api.get(`/portal/api/identity/customers/${customerId}`);
  expect(owners).toEqual([{ id: ownerId, name: 'Cy Reyes', status: 'in_review', missing: [] }]);
});

test('a link that was used, replaced or is no link gives nothing', async () => {
  const { page, token, ownerId } = await invited();
  await page.ask(`/owners/${ownerId}/invite`, {});
  for (const other of [token, page.bearer, server.token, 'x', `ol_${'A'.repeat(64)}`])
    expect(refusalLine(await give(other))).toBe('session_invalid unknown');
  expect(refusalLine(await pages.ask('/owner/identity-documents', photoId))).toBe(
    'session_invalid unknown',
  );
});

test('a file of another type is not taken of an owner either', async () => {
  const { token } = await invited();
  const text = { kind: 'photo_id', file: Buffer.from('just words').toString('base64') };
  expect(refusalLine(await give(token, text))).toBe('parameter_invalid not_supported');
});
