import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { manualIdentity } from '../../../../test/kit/manual_identity.ts';
import { application, code, person } from '../../../../test/kit/pages/applicant.ts';
import { openHostedPages, refusalLine } from '../../../../test/kit/pages/hosted.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { openIdentitySealer, openIdentityVault } from '../../../resources/identity/vault.ts';

/** Refused data changes nothing in the vault (rules/identity#2). */

const server = await openServer({ own: true, manual: true, config: manualIdentity });
const { api, engine, sent, service } = server;
const { tenantId } = server.tenant;
const pages = openHostedPages(server);

const pdf = Buffer.from('%PDF-1.4 an ID').toString('base64');
const giving = (kind: string) => ({ kind, file: pdf });
const pin = '847261';
const other = { ...person, ssn: '521739847', birth_date: '1980-01-01' };

async function proven(token: string) {
  const page = await pages.page(token);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  return page;
}
const kept = () =>
  engine.query('select * from identity_fields where tenant_id = $1 order by record_id, name');
let before: Awaited<ReturnType<typeof kept>> = [];
beforeEach(async () => {
  before = await kept();
});

/** A page of onboarding that was asked for more, whose customer came into review meanwhile. */
async function overtaken(id: string) {
  await server.runJobs();
  await api.post(`/portal/api/review/customers/${id}/request_more`, { note: 'again' });
  const page = await pages.flow('onboarding', id);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  await api.simulate('customer.in_review', id);
  return page;
}

test('an application that is refused keeps nothing: without its document, in review, and once approved', async () => {
  const { id, onboarding_session } = await api.customer('individual');
  const first = await proven(onboarding_session.token);
  const whole = { ...application, pin };
  expect(refusalLine(await first.ask('/onboarding', whole))).toBe(
    'invalid_state identity_documents_missing',
  );
  expect(await kept()).toEqual(before);
  await first.ask('/identity-documents', giving('photo_id'));
  expect((await first.ask('/onboarding', whole)).status).toBe(200);
  const page = await overtaken(id);
  const held = await kept();
  for (const status of ['in_review', 'approved']) {
    if (status === 'approved') await api.post(`/portal/api/review/customers/${id}/approve`, {});
    const { body } = await page.ask('/onboarding', { ...application, person: other });
    expect(body.error.details).toMatchObject({ current_status: status });
    expect(await kept()).toEqual(held);
  }
});

test('the vault itself takes nothing of a customer whose onboarding is over', async () => {
  const { customerId } = await api.approved('individual');
  const sealer = openIdentitySealer(service.config) ?? expect.fail();
  const vault = openIdentityVault({ ...service, sealer });
  const subjectId = uuid('customer', customerId);
  const address = { line1: '1 Main St', line2: null, city: 'New York', state: 'NY' };
  const data = {
    firstName: 'Ana',
    lastName: 'Reyes',
    birthDate: other.birth_date,
    ssn: other.ssn,
    address: { ...address, postalCode: '10001' },
  };
  const applicant = { tenantId, subject: 'customer', subjectId, customerId: subjectId } as const;
  await expect(vault.keep({ ...applicant, data })).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await kept()).toEqual(before);
});

test('an owner who is refused leaves nothing: named after the application, or by a link without a document', async () => {
  const { id, onboarding_session } = await api.customer('business');
  const page = await proven(onboarding_session.token);
  const owner = { name: 'Cy Reyes', role: 'owner_and_control_person', ownership_percent: 40 };
  await page.ask('/owners', { owner, email: 'cy@example.com' });
  const { link = '' } = (sent.at(-1) as unknown as { data: { link?: string } }).data;
  const token = new URL(link).hash.slice(1);
  const submit = async () => refusalLine(await pages.ask('/owner', { token, person }));
  expect(await submit()).toBe('invalid_state identity_documents_missing');
  expect(await kept()).toEqual(before);
  await pages.ask('/owner/identity-documents', giving('photo_id'), token);
  expect(await submit()).toBe('200');
  const held = await kept();
  await api.simulate('customer.pending', id);
  const later = await overtaken(id);
  const named = { owner: { ...owner, role: 'owner' }, person: other };
  const { body } = await later.ask('/owners', named);
  expect(body.error.details).toMatchObject({ current_status: 'in_review' });
  expect(await kept()).toEqual(held);
});
