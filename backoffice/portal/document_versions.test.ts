import {
  documentPublicationJob,
  publishForAll,
} from '@tenant-payments/service/resources/customers/documents/publication.ts';
import { expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { openHostedPages } from '../../test/kit/pages/hosted.ts';
import { portalPerson } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';

/** How far the publication of each document has come (rules/documents#20). */

const server = await openServer({ manual: true });
const { api, engine, tenant } = server;
const headers = { 'tenant-id': tenant.tenantId };
const reviewer = await portalPerson(server, 'platform', ['reviewer']);

async function progress(type = 'privacy_notice'): Promise<ReplyBody> {
  const { status, body } = await reviewer.ask('GET', '/document-versions', undefined, { headers });
  expect(status).toBe(200);
  return body.data.find(({ document_type }: ReplyBody) => document_type === type);
}
const counts = ({ must_accept, accepted, to_accept, not_asked }: ReplyBody) => [
  must_accept,
  accepted,
  to_accept,
  not_asked,
];

test('the counts follow a publication from before it until the customers have accepted', async () => {
  const ana = await api.approved('individual');
  await api.approved('individual');
  const before = await progress();
  expect(before).toMatchObject({ version: '2026-01', latest: '2026-01', spread_at: null });
  expect(counts(before)).toEqual([2, 2, 0, 0]);
  expect(counts(await progress('acceptable_use_policy'))).toEqual([0, 0, 0, 0]);

  const published = await engine.run(publishForAll(server.service), {
    document_type: 'privacy_notice',
    ...newVersion('2026-02'),
  });
  expect(published.customers).toBe(before.must_accept);
  const first = await progress();
  expect(first).toMatchObject({ version: '2026-02', title: newVersion('2026-02').title });
  expect(counts(first)).toEqual([2, 0, 2, 2]);

  const { rows } = await server.service.pool.query(
    'select id from document_publications where tenant_id = $1',
    [tenant.tenantId],
  );
  const spread = () => engine.run(documentPublicationJob(server.service, 1), { ref: rows[0].id });
  await spread();
  expect(counts(await progress())).toEqual([2, 0, 2, 1]);
  await spread();
  await spread();
  const asked = await progress();
  expect(counts(asked)).toEqual([2, 0, 2, 0]);
  expect(asked.spread_at).toEqual(expect.any(String));

  const pages = openHostedPages(server);
  const page = await pages.flow('terms_acceptance', ana.customerId);
  const { documents } = await page.read();
  await page.ask('/terms', { decision: 'accepted', documents });
  expect(counts(await progress())).toEqual([2, 1, 1, 0]);
  await api.approved('individual');
  expect(counts(await progress())).toEqual([3, 2, 1, 0]);
});

test('another Tenant counts its own customers only', async () => {
  const other = await server.anotherTenant({ calendar: false });
  const { data } = await server.apiOf(other).get('/portal/api/document-versions');
  expect(data).toHaveLength(6);
  for (const row of data) expect(counts(row)).toEqual([0, 0, 0, 0]);
});

test('support does not read it', async () => {
  const support = await portalPerson(server, 'platform', ['support']);
  const { status } = await support.ask('GET', '/document-versions', undefined, { headers });
  expect(status).toBe(403);
});
