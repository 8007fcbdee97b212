import { randomBytes } from 'node:crypto';
import { serviceActor } from '@tenant-payments/engine/actor.ts';
import type { RingKey } from '@tenant-payments/engine/key_ring.ts';
import { openSealer } from '@tenant-payments/engine/vault.ts';
import { decode, encode } from 'jpeg-js';
import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { manualIdentity } from '../../test/kit/manual_identity.ts';
import { application, code, person } from '../../test/kit/pages/applicant.ts';
import { openHostedPages, refusalLine } from '../../test/kit/pages/hosted.ts';
import { openServer } from '../../test/kit/server.ts';
import { resealJob } from '../keys/reseal.ts';
import { readKeysStatus } from '../keys/status.ts';
import type { BankInstruction } from '../rails/bank.ts';
import { identityErasureJob } from '../resources/identity/erasure.ts';
import { openIdentityVault } from '../resources/identity/vault.ts';

/** `IDENTITY=manual`: identity data in the vault, and people who decide (rules/identity). */

let taken: BankInstruction[] = [];
const lines: string[] = [];
const server = await openServer({
  own: true,
  manual: true,
  config: manualIdentity,
  bank: { take: async (order) => void taken.push(order) },
  onLog: (line) => void lines.push(line),
});
const { api, engine, service } = server;
const { tenantId } = server.tenant;
const pages = openHostedPages(server);
beforeEach(() => {
  taken = [];
});

/** Values that occur nowhere else. */
const canaries = { line1: '77 Kanarien Way', ssn: '912701234', birth_date: '1971-11-13' };
const pin = '847261';

const pdf = Buffer.from('%PDF-1.4 Kanarienpapier');
const base64 = (file: Uint8Array) => Buffer.from(file).toString('base64');
const giving = (kind: string, file: Uint8Array) => ({ kind, file: base64(file) });

async function proven(token: string) {
  const page = await pages.page(token);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  return page;
}

async function applied(given: object = {}) {
  const customer = await api.customer('individual');
  const page = await proven(customer.onboarding_session.token);
  await page.ask('/identity-documents', giving('photo_id', pdf));
  const address = { ...person.address, line1: canaries.line1 };
  const whole = {
    ...application,
    pin,
    person: { ...person, ...canaries, line1: undefined, address, ...given },
  };
  const { line1: _, ...sent } = whole.person;
  const { status, body } = await page.ask('/onboarding', { ...whole, person: sent });
  expect([status, body.error]).toEqual([200, undefined]);
  await server.runJobs();
  return customer.id as string;
}
const statusOf = async (id: string) => (await api.get(`/v1/customers/${id}`)).verification.status;
const openings = async () =>
  (
    await service.control.query(
      `select record, actor_kind, body from control.audit
       where scope = $1 and act = 'openIdentity' and outcome = 'done' order by number`,
      [tenantId],
    )
  ).rows.map(({ record, actor_kind, body }) => {
    const { fields, by, for: reason } = JSON.parse(body).after;
    return { record, actor_kind, fields, by, for: reason };
  });
const keptOf = (id: string) =>
  engine.query(
    'select name, value_sealed from identity_fields where tenant_id = $1 and record_id = $2 order by name',
    uuid('customer', id),
  );

let ana: string;
test('an application is kept in the vault, one field one seal, and waits for a reviewer', async () => {
  ana = await applied();
  expect(await statusOf(ana)).toBe('in_review');
  const fields = await keptOf(ana);
  expect(fields.map(({ name }) => name)).toEqual(['address', 'birth_date', 'name', 'tax_number']);
  for (const { value_sealed } of fields) expect(value_sealed).toMatch(/^s1\.test\./);
  const [row] = await engine.query(
    'select tax_kind, tax_hash from identity_records where tenant_id = $1 and id = $2',
    uuid('customer', ana),
  );
  expect(row).toMatchObject({
    tax_kind: 'itin',
    tax_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await api.post(`/portal/api/review/customers/${ana}/approve`, {});
  expect(await statusOf(ana)).toBe('approved');
});

test('a field opens at its own place alone, and with the key of the vault alone', async () => {
  const [address, birthDate] = await keptOf(ana);
  const { sealingKeys, identityKeys } = service.config;
  const id = uuid('customer', ana);
  const [vault, other] = [identityKeys ?? sealingKeys, sealingKeys].map(openSealer);
  const place = `identity field ${id} address`;
  expect(vault?.open(tenantId, place, address?.value_sealed)).toMatchObject({ state: 'NY' });
  expect(() => vault?.open(tenantId, place, birthDate?.value_sealed)).toThrow();
  expect(() => other?.open(tenantId, place, address?.value_sealed)).toThrow();
});

test('an order names the address of the customer, and the audit each opening with its order', async () => {
  await api.link({ customerId: ana });
  const load = await api.post('/v1/loads', { customer_id: ana, amount: 25_00 });
  await api.simulate('session.completed', load.id);
  await server.runJobs();
  const [order] = taken;
  expect(order?.counterparty?.address).toMatchObject({ line1: canaries.line1, state: 'NY' });
  expect(await openings()).toEqual([
    { record: ana, actor_kind: 'process', fields: ['address'], by: 'bank', for: order?.id },
  ]);
});

test('a new PIN needs the birth date and the last four digits that were given', async () => {
  const page = await pages.flow('pin_reset', ana);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  const right = { birth_date: canaries.birth_date, ssn_last4: '1234', pin: '738162' };
  for (const wrong of [{ ssn_last4: '1235' }, { birth_date: '1971-11-14' }])
    expect(refusalLine(await page.ask('/pin-reset', { ...right, ...wrong }))).toBe(
      'parameter_invalid no_match',
    );
  expect((await page.ask('/pin-reset', right)).body.status).toBe('completed');
  expect((await openings()).at(-1)).toMatchObject({ by: 'manual', for: 'pin_reset' });
});

test('one person who applies twice is found, and the reviewer is told; a number of nobody else is not', async () => {
  const again = await applied();
  const other = await applied({ ssn: '521739846' });
  const checks = await engine.query(
    'select subject_id, decision, reasons, signals from identity_checks where tenant_id = $1',
  );
  expect(checks).toEqual([
    {
      subject_id: uuid('customer', again),
      decision: 'unclear',
      reasons: ['same_tax_number'],
      signals: ['same_tax_number: 1'],
    },
  ]);
  expect(await statusOf(other)).toBe('in_review');
});

test('a document is a JPEG or PNG image that is written anew, or a PDF file; nothing else is taken', async () => {
  const customer = await api.customer('individual');
  const page = await pages.page(customer.onboarding_session.token);
  const give = (file: Uint8Array) => page.ask('/identity-documents', giving('photo_id', file));
  expect(refusalLine(await give(pdf))).toBe('invalid_state code_required');
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  const small = { width: 4, height: 2, data: Buffer.alloc(4 * 2 * 4, 0x7f) };
  const jpeg = Buffer.concat([encode(small, 90).data, Buffer.from('Kanarienpapier')]);
  for (const [file, line] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'parameter_invalid not_supported'],
    [jpeg.subarray(0, 80), 'parameter_invalid damaged'],
  ] as const)
    expect(refusalLine(await give(file))).toBe(line);
  const whole = { ...application, pin, person };
  expect(refusalLine(await page.ask('/onboarding', whole))).toBe(
    'invalid_state identity_documents_missing',
  );
  const { body } = await give(jpeg);
  expect(body.onboarding.identity_documents).toEqual({ wanted: ['photo_id'], given: ['photo_id'] });
  expect((await page.ask('/onboarding', whole)).status).toBe(200);
  await server.runJobs();
  const kept = await api.get(`/portal/api/identity/customers/${customer.id}`);
  const [{ id, content_type }] = kept.documents;
  expect([kept.opens, content_type]).toEqual(['case', 'image/jpeg']);
  const at = `/portal/api/identity/customers/${customer.id}`;
  const { file } = await api.post(`${at}/documents/${id}/open`);
  const shown = Buffer.from(file, 'base64');
  expect(shown.toString('latin1')).not.toContain('Kanarienpapier');
  expect(decode(shown)).toMatchObject({ width: 4, height: 2 });
});

test('a reviewer opens a case while it waits, asks for more by name, and later only by a move with a reason', async () => {
  const id = await applied({ ssn: '521739849' });
  const at = `/portal/api/identity/customers/${id}`;
  expect(await api.post(`${at}/open`)).toMatchObject({
    name: 'Ana Reyes',
    tax_number: '521739849',
  });
  expect((await openings()).at(-1)).toMatchObject({ record: id, by: 'desk', for: 'case' });
  const more = { note: 'blurred', asks: ['proof_of_address'] };
  await api.post(`/portal/api/review/customers/${id}/request_more`, more);
  const page = await pages.flow('onboarding', id);
  const wanted = { wanted: ['proof_of_address'], given: [] };
  expect(page.view.onboarding.identity_documents).toEqual(wanted);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  const again = { ...application, person };
  expect(refusalLine(await page.ask('/onboarding', again))).toBe(
    'invalid_state identity_documents_missing',
  );
  await page.ask('/identity-documents', giving('proof_of_address', pdf));
  expect((await page.ask('/onboarding', again)).status).toBe(200);
  await server.runJobs();
  await api.post(`/portal/api/review/customers/${id}/approve`, {});
  const open = () => server.call('POST', `${at}/open`, { token: server.token });
  expect(refusalLine(await open())).toBe('invalid_state approval_required');
  await api.post(`/portal/api/review/customers/${id}/open_identity`, { note: 'the bank asks' });
  expect((await open()).status).toBe(200);
  expect((await openings()).at(-1)).toMatchObject({ record: id, by: 'desk', for: 'review' });
});

test('later data replaces earlier', async () => {
  const id = await applied({ ssn: '521739847', birth_date: '1980-01-01' });
  await api.post(`/portal/api/review/customers/${id}/request_more`, { note: 'again' });
  const page = await pages.flow('onboarding', id);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  const changed = { ...person, birth_date: '1981-02-02', ssn: '521739848' };
  expect((await page.ask('/onboarding', { ...application, person: changed })).status).toBe(200);
  const vault = openIdentityVault({
    ...service,
    sealer: openSealer(service.config.identityKeys ?? service.config.sealingKeys),
  });
  const names = ['birth_date', 'tax_number'] as const;
  expect(await vault.read(tenantId, uuid('customer', id), names)).toEqual({
    birth_date: '1981-02-02',
    tax_number: '521739848',
  });
});

test('the ring rotates like the others: all is sealed anew, and the new key alone opens it', async () => {
  const [old] = service.config.identityKeys ?? service.config.sealingKeys;
  const fresh: RingKey = { id: '2027', key: randomBytes(32) };
  const statusWith = async (...identityKeys: [RingKey, ...RingKey[]]) =>
    (await readKeysStatus(service.db, { ...service.config, identityKeys })).rings[3];
  expect((await statusWith(fresh, old))?.next).toMatch(
    /rest on older keys: npm run cli -- keys reseal$/,
  );
  const identity = openSealer([fresh, old]);
  const job = resealJob({ db: service.db, vault: service.vault, identity });
  expect(await job.prepare?.({ ref: tenantId }, { tenantId, actor: serviceActor })).toBe(false);
  expect(await statusWith(fresh, old)).toMatchObject({
    name: 'IDENTITY_KEY',
    missing: [],
    next: `drop ${old.id} and restart every process`,
  });
  const vault = openIdentityVault({ ...service, sealer: openSealer([fresh]) });
  const id = uuid('customer', ana);
  expect(await vault.read(tenantId, id, ['tax_number'])).toEqual({ tax_number: canaries.ssn });
});

test('nothing of it stands in a log, a trace of a request, an event, the audit or another table', async () => {
  await service.requestLog.flush();
  const { rows } = await service.pool.query<{ text: string }>(
    `select query_to_xml(format('select * from %I.%I', n.nspname, relname), true, false, '')::text as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where relkind = 'r' and n.nspname in (current_schema(), 'control')`,
  );
  const all = [...lines, ...rows.map(({ text }) => text)].join('\n');
  for (const canary of Object.values(canaries)) expect(all).not.toContain(canary);
});

test('the vault is emptied five years after closing, never under a hold placed since, and the decision stays', async () => {
  await engine.query(
    `delete from jobs where tenant_id = $1 and ref = $1 and name <> 'identity_erasure'`,
  );
  const [load] = (await api.get(`/v1/loads?customer_id=${ana}`)).data;
  await api.simulate('load.failed', load.id, 'bank_timeout');
  const [account] = (await api.get(`/v1/accounts?customer_id=${ana}`)).data;
  await api.close({ customerId: ana });
  await api.simulate('account.closed', account.id);
  const run = () => engine.run(identityErasureJob(service), { ref: tenantId });
  await engine.moveClock(5 * 365 * 86_400 - 86_400);
  await run();
  expect(await keptOf(ana)).toHaveLength(4);
  await api.post(`/portal/api/review/accounts/${account.id}/place_hold`, {});
  await engine.moveClock(4 * 86_400);
  await run();
  expect(await keptOf(ana)).toHaveLength(4);
  await api.post(`/portal/api/review/accounts/${account.id}/release_hold`, {});
  await run();
  expect(await keptOf(ana)).toEqual([]);
  expect(await statusOf(ana)).toBe('approved');
  const { rows } = await service.control.query(
    `select body from control.audit where scope = $1 and act = 'eraseIdentity'`,
    [tenantId],
  );
  expect(rows.map(({ body }) => JSON.parse(body).after)).toEqual([{ customers: [ana] }]);
  // Others that are open keep theirs, and the job comes again.
  expect(await engine.jobs(tenantId)).toMatchObject([{ name: 'identity_erasure' }]);
});
