import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { Customer } from '@tenant-payments/contract/resources/customers.ts';
import { Dispute } from '@tenant-payments/contract/resources/disputes.ts';
import { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { openInbound } from '@tenant-payments/service/inbound/inbound.ts';
import { verifyLedger } from '@tenant-payments/service/invariants/verify.ts';
import { redactionJob } from '@tenant-payments/service/jobs/redaction.ts';
import { openSweep } from '@tenant-payments/service/jobs/sweep.ts';
import {
  eraseCustomer,
  erasureJob,
} from '@tenant-payments/service/resources/customers/erasure/erasure.ts';
import { approveCustomer } from '@tenant-payments/service/resources/customers/moves.ts';
import { approveOwner } from '@tenant-payments/service/resources/customers/owners/moves.ts';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { onboard } from '../../test/kit/engine.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';

const day = 86_400;
const year = 365 * day;
const server = await openServer({ manual: true });
const { api, engine } = server;
const tenantId = server.tenant.tenantId;
beforeAll(async () => {
  // No other job recurs, so that years can pass at once.
  await engine.query(
    `delete from jobs where tenant_id = $1 and ref = $1 and name <> 'event_redaction'`,
  );
});

/** Lets time pass and runs the daily deletions. */
async function pass(seconds: number): Promise<void> {
  await engine.moveClock(seconds);
  // Kept for seven days of real time, which do not pass here.
  await server.service.requestLog.flush();
  await engine.query('delete from requests where tenant_id = $1');
  await engine.run(redactionJob(server.service), { ref: tenantId });
  await openSweep(server.service).sweepNow();
}
const erase = ({ customerId }: Person): Promise<ReplyBody> =>
  api.post(`/portal/api/review/customers/${customerId}/erase`, { note: 'asked for' });
const refused = (reason: string, more: object = {}) => ({
  code: 'invalid_state',
  details: { allowed: ['closed'], reason, ...more },
});

async function close({ customerId, accountId }: Person): Promise<string> {
  await api.close({ customerId });
  await api.simulate('account.closed', accountId);
  return (await api.get(`/v1/accounts?customer_id=${customerId}`)).data[0].closed_at;
}

/** A notice received now, without a transaction. */
const notice = async ({ customerId }: Person, description: string): Promise<ReplyBody> =>
  api.post('/v1/disputes', {
    customer_id: customerId,
    type: 'error',
    description,
    notice_received_at: (await api.get('/portal/api/clock')).now,
  });

async function disputed(person: Person): Promise<ReplyBody> {
  const made = await notice(person, 'Said at the counter of Quibble Street');
  await api.simulate('dispute.resolved_denied', made.id);
  return made;
}

interface Applicant {
  readonly email: string;
  readonly mobile_number: string;
  readonly prefill: object;
}

/** An approved customer with a bank account, whose texts occur nowhere else. */
async function named(type: 'individual' | 'business', applicant: Applicant): Promise<Person> {
  const body = { type, external_ref: applicant.mobile_number, ...applicant };
  const { id: customerId } = await api.post('/v1/customers', body);
  const id = uuid('customer', customerId);
  await engine.run(onboard, { id });
  for (const owner of await engine.query(
    'select id from owners where tenant_id = $1 and customer_id = $2',
    id,
  ))
    await engine.run(approveOwner, { id: owner.id });
  const { account_id: accountId } = await engine.run(approveCustomer, { id });
  await engine.query(
    `update customers set identity_reference = $3, revision = revision + 1
     where tenant_id = $1 and id = $2`,
    id,
    `provider-${applicant.mobile_number}`,
  );
  const person = { type, customerId, accountId, linkedAccountId: null };
  return { ...person, linkedAccountId: await api.link(person, 'savings') };
}

/** The tables that still hold a text. */
async function holding(text: string): Promise<string[]> {
  const tables = await engine.query(
    `select distinct table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'tenant_id' and $1::uuid is not null`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await engine.query(
      `select 1 from ${name} t where tenant_id = $1 and position($2 in t::text) > 0 limit 1`,
      text,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
const fits = (schema: TSchema, record: ReplyBody) =>
  expect([...Value.Errors(schema, record)]).toEqual([]);

describe('refused', () => {
  test('before the account is closed, and for a customer who never had one', async () => {
    const person = await api.approved('individual');
    expect(await refusalOf(erase(person))).toMatchObject(
      refused('not_closed', { current_status: 'active' }),
    );
    const { id } = await api.customer('individual');
    const nobody = {
      type: 'individual',
      customerId: id,
      accountId: '',
      linkedAccountId: null,
    } as const;
    expect(await refusalOf(erase(nobody))).toMatchObject(
      refused('not_closed', { current_status: null }),
    );
  });

  test('for five years after closing, to the minute', async () => {
    const person = await api.approved('individual');
    const closedAt = await close(person);
    const until = `${Number(closedAt.slice(0, 4)) + 5}${closedAt.slice(4)}`;
    expect(await refusalOf(erase(person))).toMatchObject(refused('kept_by_law', { until }));
    // One leap day lies between.
    await pass(5 * year + day - 60);
    expect(await refusalOf(erase(person))).toMatchObject(refused('kept_by_law', { until }));
    await pass(60);
    expect(await erase(person)).toMatchObject({ id: person.customerId, email: 'erased' });
  });

  test('for five years after an application was withdrawn', async () => {
    const { id, email } = await api.customer('individual');
    const applicant = { type: 'individual', customerId: id, accountId: '', linkedAccountId: null };
    await api.close({ customerId: id });
    const { verification } = await api.get(`/v1/customers/${id}`);
    const at: string = verification.updated_at;
    const until = `${Number(at.slice(0, 4)) + 5}${at.slice(4)}`;
    const asked = erase(applicant as Person);
    expect(await refusalOf(asked)).toMatchObject(refused('kept_by_law', { until }));
    await pass(5 * year + 2 * day);
    expect(await erase(applicant as Person)).toMatchObject({ id, email: 'erased' });
    await server.runJobs();
    const kept = 'select * from customers where tenant_id = $1 and id = $2';
    expect(JSON.stringify(await engine.query(kept, uuid('customer', id)))).not.toContain(email);
  });

  test('for two years after a dispute, and as long as one is open', async () => {
    const person = await api.approved('individual');
    await close(person);
    await pass(5 * year + 2 * day);
    const open = await notice(person, 'Still open');
    expect(await refusalOf(erase(person))).toMatchObject(refused('dispute_open'));
    await api.simulate('dispute.resolved_denied', open.id);
    await pass(2 * year - day);
    expect(await refusalOf(erase(person))).toMatchObject(refused('kept_by_law'));
    await pass(2 * day);
    expect(await erase(person)).toMatchObject({ email: 'erased' });
  });

  test('while an event of less than 400 days shows the customer', async () => {
    const person = await api.approved('individual');
    await close(person);
    await pass(5 * year + 2 * day);
    await api.simulate('customer.in_review', person.customerId);
    expect(await refusalOf(erase(person))).toMatchObject(refused('kept_by_law'));
    await pass(401 * day);
    expect(await erase(person)).toMatchObject({ email: 'erased' });
  });
});

test('what providers remember of who was erased goes, and what their messages said', async () => {
  const { id } = await api.customer('individual');
  const person = { type: 'individual', customerId: id, accountId: '', linkedAccountId: null };
  const record = uuid('customer', id);
  const { taking, objectsOf } = server.providers;
  const key = 'inquiry of Quentin Quist';
  await objectsOf('checker').put({ kind: 'inquiry', key, tenantId, record, value: 'a case' });
  const fact = { id: 'f1', subject: 'customer', subjectId: record, decision: 'unclear' } as const;
  const receipt = { id: 'm1', tenantId, port: 'identity', fact } as const;
  await taking.take({ name: 'checker' }, [receipt], { headers: {}, body: Buffer.from('Quist') });
  await api.close({ customerId: id });
  await pass(5 * year + 2 * day);
  await erase(person as Person);
  await server.runJobs();
  expect(await holding(key)).toEqual([]);
  const messages = 'select said_sealed from rail_messages where tenant_id = $1 and record = $2';
  expect(await engine.query(messages, record)).toEqual([{ said_sealed: null }]);
});

test('notes of a case stay for staff, and its file shows nothing else of who was erased', async () => {
  const { email, id } = await api.customer('individual');
  const person = { type: 'individual', customerId: id, accountId: '', linkedAccountId: null };
  await api.post(`/portal/api/cases/customers/${id}/notes`, { text: 'The passport was blurred' });
  await api.close({ customerId: id });
  await pass(5 * year + 2 * day);
  await erase(person as Person);
  await server.runJobs();
  const file = await api.get(`/portal/api/cases/customers/${id}`);
  expect(file.notes).toMatchObject([{ text: 'The passport was blurred', by: 'client' }]);
  expect(file.record.email).toBe('erased');
  expect(JSON.stringify(file)).not.toContain(email);
});

test('nothing of a person is kept except the reserved references', async () => {
  const shop = await api.approved('business');
  const applicant = {
    email: 'minnie@quackenbush.example',
    mobile_number: '+12025559431',
    prefill: { first_name: 'Wilhelmina', last_name: 'Quackenbush' },
  };
  const person = await named('individual', applicant);
  await api.fund(person, 30_00);
  await api.confirmed(api.pay(person, shop, 10_00));
  const withdrawal = await api.confirmed(api.withdraw(person, 20_00));
  await api.simulate('withdrawal.settled', withdrawal.id);
  const dispute = await disputed(person);
  const id = uuid('customer', person.customerId);
  const read = async () =>
    (await engine.query('select * from customers where tenant_id = $1 and id = $2', id))[0];
  const before = await read();
  const texts = [
    applicant.email,
    'Wilhelmina',
    'Quackenbush',
    'Quibble Street',
    'Savings Bank',
    `provider-${applicant.mobile_number}`,
    before.mobile_sealed,
  ];
  for (const text of texts) expect(await holding(text), text).not.toEqual([]);
  await close(person);
  await pass(6 * year);
  const reply = await erase(person);
  const shown = await api.get(`/v1/customers/${person.customerId}`);
  expect(reply).toEqual(shown);
  fits(Customer, shown);
  expect(shown).toMatchObject({ email: 'erased', mobile_number_last4: 'erased' });
  const links = await api.get(`/v1/customers/${person.customerId}/linked-accounts`);
  expect(links.data).toMatchObject([{ institution_name: 'erased', account_mask: 'erased' }]);
  fits(LinkedAccount, links.data[0]);
  const { data } = await api.get(`/v1/disputes?customer_id=${person.customerId}`);
  expect(data).toMatchObject([{ id: dispute.id, description: 'erased' }]);
  fits(Dispute, data[0]);
  const sides = async ({ accountId }: Person): Promise<string[]> =>
    (await api.get(`/v1/accounts/${accountId}/transactions`)).data.map(
      ({ counterparty }: ReplyBody) => counterparty.display_name,
    );
  expect(await sides(person)).toEqual(['erased erased', 'Corner Cafe LLC', 'erased erased']);
  expect(await sides(shop)).toEqual(['erased']);
  // The Tenant's own reference stays.
  for (const text of texts) expect(await holding(text), text).toEqual([]);
  const after = await read();
  expect(after.mobile_hmac).toBeNull();
  for (const kept of ['external_ref', 'version', 'updated_at', 'status'])
    expect(after[kept]).toEqual(before[kept]);
});

test("a business's owners are erased with it, and the reference stays reserved", async () => {
  const applicant = {
    email: 'ahoy@barnacle.example',
    mobile_number: '+12025559432',
    prefill: { legal_name: 'Barnacle Bill LLC' },
  };
  const shop = await named('business', applicant);
  const id = uuid('customer', shop.customerId);
  await engine.query(
    `update owners set contact_sealed = 'sealed-barnaby', identity_reference = 'idv-barnaby',
      revision = revision + 1 where tenant_id = $1 and customer_id = $2`,
    id,
  );
  const owners = async () => (await api.get(`/v1/customers/${shop.customerId}/owners`)).data;
  const [{ name }] = await owners();
  await close(shop);
  await pass(6 * year);
  const shown = await erase(shop);
  fits(Customer, shown);
  expect(shown.business).toMatchObject({ legal_name: null, trading_name: null });
  expect(await api.get(`/v1/customers/${shop.customerId}`)).toEqual(shown);
  const [owner] = await owners();
  expect(owner).toMatchObject({ name: 'erased', ownership_percent: null });
  fits(Owner, owner);
  expect(
    await engine.query(
      'select 1 from owners where tenant_id = $1 and customer_id = $2 and name = $3',
      id,
      name,
    ),
  ).toEqual([]);
  for (const text of ['arnacle', 'barnaby']) expect(await holding(text), text).toEqual([]);
  const external_ref = applicant.mobile_number;
  await expect(api.customer('individual', { external_ref })).rejects.toMatchObject({
    error: { code: 'duplicate_external_ref' },
  });
});

test('what was found of a dispute goes from the requests for a second person too', async () => {
  const person = await api.approved('individual');
  const { id } = await notice(person, 'Not mine');
  const finding = 'Her cousin Zebulon had the card';
  const ask = { resource: 'disputes', id, move: 'resolve_denied', finding, note: 'as found' };
  const [refused] = [
    await api.post('/portal/api/approvals', ask),
    await api.post('/portal/api/approvals', ask),
  ];
  await api.post(`/portal/api/approvals/${refused.id}/refuse`, {});
  await api.simulate('dispute.resolved_denied', id);
  await close(person);
  await pass(6 * year);
  expect(await holding(finding)).toEqual(['approvals']);
  await erase(person);
  expect(await holding(finding)).toEqual([]);
  const { data } = await api.get('/portal/api/approvals');
  const ended = { body: {}, note: 'as found' };
  expect(data).toMatchObject([
    { ...ended, status: 'waiting' },
    { ...ended, status: 'refused' },
  ]);
});

test("what banks said of a customer's money goes with the customer, and of nobody else's", async () => {
  const [person, other] = [await api.banked('individual'), await api.banked('individual')];
  const inbound = openInbound({ ...server.service, asks: false });
  const said = async (paymentId: string, endToEndId: string | null) =>
    inbound.bank(tenantId, {
      id: paymentId,
      money: {
        amount: 40_00,
        to: 'fbo',
        sender: { name: `Quince of ${paymentId}`, last4: '4321' },
        remittance: `rent of ${paymentId}`,
        endToEndId,
        paymentId,
      },
    });
  const ordered = async (of: Person): Promise<string> => {
    const load = await api.confirmed(api.load(of, 40_00));
    const [order] = await engine.query(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      uuid('load', load.id),
    );
    return order.id;
  };
  const paid = async (of: Person, paymentId: string) => {
    const orderId = await ordered(of);
    expect(await said(paymentId, orderId.replaceAll('-', ''))).toBe('taken');
    return orderId;
  };
  const orderId = await paid(person, 'theirs');
  await paid(other, 'others');
  const refusal = { outcome: 'failed', reason: 'AC04', text: 'Quint has closed it' } as const;
  await inbound.bank(tenantId, { id: 'refusal', orderId: await ordered(person), ...refusal });
  await said('matched', null);
  const [item] = await engine.query(
    `select id from suspense where tenant_id = $1 and status = 'held' order by id desc limit 1`,
  );
  const { accountId } = person;
  const at = `/portal/api/review/suspense/adj_${item.id.replaceAll('-', '')}/match`;
  await api.post(at, { account_id: accountId, note: 'the words say so' });
  const { now } = await api.get('/portal/api/clock');
  const answerBy = new Date(Date.parse(now) + 3 * day * 1_000).toISOString();
  const returnRequest = { of: orderId, amount: 40_00, reason: 'FRAD', text: 'Quint', answerBy };
  await inbound.bank(tenantId, { id: 'recall', returnRequest });
  const [request] = await engine.query('select id from return_requests where tenant_id = $1');
  const refusing = `/portal/api/review/return-requests/${publicId('return_request', request.id)}/refuse`;
  await api.post(refusing, { finding: 'Quint has spent it' });
  const withdrawal = await api.confirmed(api.withdraw(person, 80_00));
  await api.simulate('withdrawal.settled', withdrawal.id);
  await close(person);
  await pass(6 * year);
  const words = ['Quince of theirs', 'rent of theirs', 'Quince of matched', 'rent of matched'];
  expect((await holding('Quint')).sort()).toEqual(['instructions', 'return_requests']);
  for (const text of words) expect(await holding(text), text).toEqual(['received_money']);
  await erase(person);
  await server.runJobs();
  for (const text of [...words, 'Quint']) expect(await holding(text), text).toEqual([]);
  expect(await holding('Quince of others')).toEqual(['received_money']);
  expect((await verifyLedger(server.service.pool)).violations).toEqual([]);
});

test('erasing makes no event, can be repeated, and leaves the ledger correct', async () => {
  const person = await api.approved('individual');
  await close(person);
  await pass(6 * year);
  const id = uuid('customer', person.customerId);
  const told = await engine.events(id);
  const first = await erase(person);
  expect(await erase(person)).toEqual(first);
  expect(await engine.events(id)).toEqual(told);
  expect(await engine.jobs(id)).toEqual([]);
  expect((await verifyLedger(server.service.pool)).violations).toEqual([]);
});

test('an event made while an erasure waits delays it until that event’s text is deleted', async () => {
  const person = await api.approved('individual');
  await close(person);
  await pass(6 * year);
  const id = uuid('customer', person.customerId);
  const { db } = server.service;
  await engine.run(eraseCustomer({ db }), { id });
  await api.simulate('customer.in_review', person.customerId);
  const shown = () => api.get(`/v1/customers/${person.customerId}`);
  expect((await shown()).email).toBe('someone@example.com');
  expect(await engine.jobs(id)).toMatchObject([{ name: 'erasure' }]);
  await pass(401 * day);
  await engine.run(erasureJob({ db }), { ref: id });
  expect((await shown()).email).toBe('erased');
  expect(await engine.jobs(id)).toEqual([]);
});

test('a legal hold on a closed account keeps all of it, also where the erasure was decided before', async () => {
  const person = await api.approved('individual');
  await close(person);
  await pass(6 * year);
  const hold = (move: string) =>
    api.post(`/portal/api/review/accounts/${person.accountId}/${move}`, { note: 'a court asks' });
  const shown = () => api.get(`/v1/accounts/${person.accountId}`);
  const before = await shown();
  await hold('place_hold');
  expect({ ...(await shown()), balance: before.balance }).toEqual(before);
  expect(await refusalOf(erase(person))).toMatchObject(refused('legal_hold'));
  await hold('release_hold');
  const id = uuid('customer', person.customerId);
  const { db } = server.service;
  await engine.run(eraseCustomer({ db }), { id });
  await hold('place_hold');
  await engine.run(erasureJob({ db }), { ref: id });
  const email = async () => (await api.get(`/v1/customers/${person.customerId}`)).email;
  expect(await email()).toBe('someone@example.com');
  await hold('release_hold');
  await engine.run(erasureJob({ db }), { ref: id });
  expect(await email()).toBe('erased');
});

test('nothing is sent to a bank account that was erased: a later credit goes to suspense', async () => {
  const person = await api.banked('individual');
  await close(person);
  await pass(6 * year);
  expect(await erase(person)).toMatchObject({ email: 'erased' });
  const dispute = await notice(person, 'Years later');
  const move = (name: string, body = {}) =>
    api.post(`/portal/api/review/disputes/${dispute.id}/${name}`, body);
  await move('investigate');
  expect(await move('resolve_approved', { amount: 5_00 })).toMatchObject({ outcome: 'approved' });
  const source = uuid('dispute', dispute.id);
  expect(
    await engine.query(
      'select reason, amount from suspense where tenant_id = $1 and source_id = $2',
      source,
    ),
  ).toMatchObject([{ reason: 'undeliverable', amount: 5_00 }]);
  expect(await refusalOf(erase(person))).toMatchObject(refused('money_in_suspense'));
});
