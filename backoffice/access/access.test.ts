import { personalFields } from '@tenant-payments/contract/catalog.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { expect, onTestFinished, test } from 'vitest';
import { changesNothing } from '../../test/kit/changes_nothing.ts';
import { appendOnly } from '../../test/kit/database/database_url.ts';
import { reachable } from '../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { openServer, startTestServer, type TestServer } from '../../test/kit/server.ts';
import { portalEndpoints } from '../contract/catalog.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';

const server = await openServer({ own: true, manual: true });
const { api, tenant } = server;
const ana = await api.funded('individual', 500_00);
const cafe = await api.banked('business');
await api.advance(2 * 86_400);
await api.simulate('statement.available', ana.accountId);
const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
const made = await api.dispute(ana, { payment_id: payment.id });
const dispute = await api.played(made, 'dispute.investigating', 'dispute.provisional_credit');

const member = (role: Role) => portalPerson(server, tenant.tenantId, [role]);
const staff = (role: Role) => portalPerson(server, 'platform', [role]);
const owner = await member('owner');

const named = { headers: { 'tenant-id': tenant.tenantId } };
/** A read of staff names the Tenant. */
const read = (person: PortalPerson, path: string) => person.ask('GET', path, undefined, named);

const leftBy = async ({ id }: PortalPerson): Promise<ReplyBody[]> =>
  (await owner.ask('GET', `/access-records?person_id=${id}`)).body.data;
const shortly = (rows: ReplyBody[]) =>
  rows.map(({ acted_as, kind, record }) => `${acted_as} ${kind} ${record}`).reverse();

test("a case and a record that staff read leave who, when and which, shown to the Tenant's owner", async () => {
  const reviewer = await staff('reviewer');
  const first = await read(reviewer, `/cases/disputes/${dispute.id}`);
  expect(first.status).toBe(200);
  expect((await read(reviewer, `/records/${ana.customerId}`)).status).toBe(200);
  const rows = await leftBy(reviewer);
  expect(shortly(rows)).toEqual([`staff case ${dispute.id}`, `staff record ${ana.customerId}`]);
  expect(rows[1]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    object: 'access_record',
    at: expect.stringMatching(/Z$/),
    acted_as: 'staff',
    person_id: reviewer.id,
    email: reviewer.email,
    api_key_id: null,
    kind: 'case',
    record: dispute.id,
    address: '127.0.0.1',
    request_id: first.headers.get('service-request-id'),
  });
});

test('a dispute letter that is previewed leaves a row as its case does, before the case is opened', async () => {
  const reviewer = await staff('reviewer');
  const move = { move: 'resolve_denied', finding: 'The code was confirmed from her phone.' };
  const path = `/cases/disputes/${dispute.id}/preview`;
  const { status, body } = await reviewer.ask('POST', path, move, named);
  expect([status, body.letter.customer.length > 0]).toEqual([200, true]);
  expect(shortly(await leftBy(reviewer))).toEqual([`staff case ${dispute.id}`]);
  await read(reviewer, `/cases/disputes/${dispute.id}`);
  expect(await leftBy(reviewer)).toHaveLength(1);
});

test('a person who reads a record again in the hour leaves no second row', async () => {
  const finance = await member('finance');
  for (let times = 0; times < 3; times += 1) await read(finance, `/records/${payment.id}`);
  expect(shortly(await leftBy(finance))).toEqual([`member record ${payment.id}`]);
  await expect(
    server.service.control.query(
      `insert into control.access_records (scope, person_id, acted_as, kind, record)
       select scope, person_id, acted_as, kind, record from control.access_records
       where person_id = $1`,
      [finance.id],
    ),
  ).rejects.toMatchObject({ code: '23505' });
});

test('lists, what is masked, what is refused, and a program of the Tenant leave none', async () => {
  const reviewer = await staff('reviewer');
  for (const path of ['/customers', '/disputes', '/desk', '/audit', '/statements'])
    expect((await read(reviewer, path)).status, path).toBe(path === '/audit' ? 403 : 200);
  expect((await read(reviewer, '/records/cus_0')).status).toBe(404);
  const support = await staff('support');
  expect((await read(support, `/records/${ana.customerId}`)).status).toBe(200);
  const reader = await member('reader');
  expect((await read(reader, `/records/${ana.customerId}`)).status).toBe(200);
  for (const person of [reviewer, support, reader]) expect(await leftBy(person)).toEqual([]);
  const before = (await owner.ask('GET', '/access-records?limit=100')).body.data.length;
  await api.get(`/portal/api/records/${cafe.customerId}`);
  const after = (await owner.ask('GET', '/access-records?limit=100')).body.data.length;
  expect(after).toBe(before);
});

test('an API key leaves the person and the key', async () => {
  const developer = await member('developer');
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const key = { name: 'Nightly', roles: ['developer'], expires_at };
  const { body } = await developer.ask('POST', '/api-keys', key);
  const path = `/portal/api/records/${ana.customerId}`;
  expect((await server.call('GET', path, { token: body.key })).status).toBe(200);
  expect(await leftBy(developer)).toMatchObject([{ api_key_id: body.id, acted_as: 'member' }]);
});

test('a letter, a statement and a report leave a row when the file is opened, of whom the address was given to', async () => {
  const admin = await staff('admin');
  const letter = await read(admin, `/disputes/${dispute.id}/letters/provisional_credit`);
  const [statement] = (await read(admin, '/statements')).body.data;
  const [report] = (await read(admin, '/reconciliation-reports')).body.data;
  expect(await leftBy(admin)).toEqual([]);
  const urls = [letter.body.download_url, statement.download_url, report.file.download_url];
  for (const url of urls) {
    expect((await fetch(reachable(server, url), { method: 'HEAD' })).status).toBe(200);
    expect(await leftBy(admin)).toHaveLength(urls.indexOf(url));
    expect((await fetch(reachable(server, url))).status).toBe(200);
  }
  expect(shortly(await leftBy(admin))).toEqual([
    `staff letter ${dispute.id}/provisional_credit`,
    `staff statement ${statement.id}`,
    expect.stringMatching(/^staff report reconciliation[\w.-]+\.csv$/),
  ]);
  const found = await owner.ask(
    'GET',
    `/access-records?record=${dispute.id}&person_id=${admin.id}`,
  );
  expect(shortly(found.body.data)).toEqual([`staff letter ${dispute.id}/provisional_credit`]);
});

test('the audit as a file is an export, and leaves a row', async () => {
  const other = await member('owner');
  await other.ask('GET', '/audit');
  expect(await leftBy(other)).toEqual([]);
  const file = await fetch(`${server.baseUrl}/portal/api/audit?format=csv`, {
    headers: { cookie: other.cookie() ?? '' },
  });
  expect([file.status, (await file.text()).length > 100]).toEqual([200, true]);
  expect(shortly(await leftBy(other))).toEqual(['member export listAudit']);
});

test('a file of the platform, or of another Tenant, leaves none with the Tenant that staff name', async () => {
  const admin = await staff('admin');
  const { tenantId } = await server.anotherTenant();
  for (const path of [
    '/audit?scope=platform',
    '/audit?scope=all&act=nothing',
    `/desk?tenant_id=${tenantId}`,
  ])
    expect((await read(admin, `${path}&format=csv`)).status, path).toBe(200);
  expect(await leftBy(admin)).toEqual([]);
  expect((await read(admin, '/audit?scope=tenant&format=csv')).status).toBe(200);
  expect(shortly(await leftBy(admin))).toEqual(['staff export listAudit']);
});

test('owner and admin list them page by page, nobody else, and none of another Tenant', async () => {
  const path = '/access-records?limit=2';
  const first = (await owner.ask('GET', path)).body;
  const next = (await owner.ask('GET', `${path}&cursor=${first.next_cursor}`)).body;
  const ids = [...first.data, ...next.data].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  const { body } = await owner.ask('GET', '/access-records?limit=100&acted_as=staff');
  expect(new Set(body.data.map(({ acted_as }: ReplyBody) => acted_as))).toEqual(new Set(['staff']));
  expect((await read(await staff('admin'), path)).body.data).toHaveLength(2);
  for (const role of ['developer', 'finance', 'reader'] as const)
    expect((await read(await member(role), path)).status).toBe(403);
  const elsewhere = await server.anotherTenant();
  const stranger = await portalPerson(server, elsewhere.tenantId, ['owner']);
  expect((await stranger.ask('GET', path)).body.data).toEqual([]);
});

test('nobody changes or removes an access record, the owner of the tables included', async () => {
  for (const statement of [
    "update control.access_records set record = ''",
    'delete from control.access_records',
  ]) {
    await expect(server.service.control.query(statement)).rejects.toThrow(/permission denied/);
    await expect(server.owner.query(statement)).rejects.toThrow(appendOnly);
  }
  const truncated = server.owner.query('truncate control.access_records');
  await expect(truncated).rejects.toThrow(appendOnly);
});

test('what cannot leave its access record is not read', async () => {
  const alone: TestServer = await startTestServer({ workers: false, alone: true });
  onTestFinished(() => alone.stop());
  const person = await portalPerson(alone, alone.tenant.tenantId, ['owner']);
  const { id: customerId } = await alone.api.applied('individual');
  const right = 'insert on control.access_records';
  await alone.owner.query(`revoke ${right} from tenant_payments_service`);
  expect((await person.ask('GET', `/records/${customerId}`)).status).toBe(500);
  await alone.owner.query(`grant ${right} to tenant_payments_service`);
  expect((await person.ask('GET', `/records/${customerId}`)).status).toBe(200);
});

/** Reads of one record that show nothing of a person: each says why it leaves nothing. */
const withoutPersonalData: Readonly<Record<string, string>> = {
  listCustomerDocuments: 'versions of documents and when they were accepted',
  listCustomerMessages: 'what was told and when, to a masked recipient',
  listCustomerCases: 'states, amounts and times, without names',
  listDisputeLetters: 'addresses: the files leave a row',
  getDisputeLetter: 'an address: the file leaves a row',
  getReconciliationDay: 'sums, and an address: the file leaves a row',
  getRailMessage: 'what a provider reported, redacted as the log is',
  listPossibleMoves: 'names of moves',
  getEventType: 'the contract',
  compareBankStatement: "the platform's own bank account",
  getTenant: "owners of the Tenant, of the platform's list of Tenants",
};

test('every read of one record leaves an access record, or says why not', () => {
  const rows: PortalEndpoint[] = Object.values(portalEndpoints);
  const ofOne = rows.filter(({ method, path }) => method === 'GET' && path.includes('/:'));
  const unmarked = ofOne.filter(({ access }) => access === undefined).map(({ id }) => id);
  expect(unmarked.toSorted()).toEqual(Object.keys(withoutPersonalData).toSorted());
});

const personal = new Set(personalFields);
function namesPerson(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([key, value]) =>
      (key === 'properties' && Object.keys(value).some((name) => personal.has(name))) ||
      namesPerson(value),
  );
}

/** Besides GETs: an act has its row of the audit, so that only what changes nothing says why it leaves nothing. */
const asDecided: Readonly<Record<string, string>> = {
  openIdentity: 'opens the vault, which has a row of the audit',
  openInvitation: 'the invitation of whoever opens it',
};

test('what shows personal data and changes nothing leaves an access record also where it is no GET', () => {
  const rows: PortalEndpoint[] = Object.values(portalEndpoints);
  const reading = rows.filter(({ id, method }) => method !== 'GET' && changesNothing(id));
  const showing = reading.filter(({ success }) => namesPerson(success.schema));
  expect(showing.map(({ id }) => id)).toContain('previewMove');
  const unmarked = showing.filter(({ access }) => access === undefined).map(({ id }) => id);
  expect(unmarked.toSorted()).toEqual(Object.keys(asDecided).toSorted());
});
