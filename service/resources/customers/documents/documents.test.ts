import { command } from '@tenant-payments/engine/command.ts';
import { describe, expect, test } from 'vitest';
import { answer, onboard } from '../../../../test/kit/engine.ts';
import type { ReplyBody } from '../../../../test/kit/http/http.ts';
import { uuid } from '../../../../test/kit/ids.ts';
import { newVersion } from '../../../../test/kit/legal_texts.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { refusalOf } from '../../../../test/kit/refusal.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { rejectCustomer } from '../moves.ts';
import { listDocuments, readDocumentsOf } from '../read.ts';
import { customers } from '../table.ts';
import { acceptPending, publishDocument } from './moves.ts';
import { documentPublicationJob, publishForAll } from './publication.ts';
import { documents } from './table.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

const daySeconds = 24 * 3600;

/** The change of the flow terms_acceptance, without its session. */
const acceptTerms = command('accept_terms', {
  load: async (read, { id }: { id: string }) => {
    const [customer, rows] = await Promise.all([
      read.one(customers, id),
      read.set(documents, 'customer_id', id),
    ]);
    return { customer, rows };
  },
  decide: (work, { customer, rows }) => {
    acceptPending(work, customer, rows, { read: null, locale: null });
    return { value: null };
  },
});
const accept = ({ customerId }: Pick<Person, 'customerId'>) =>
  engine.run(acceptTerms, { id: uuid('customer', customerId) });

/** The versions of a document, newest first: `2026-02 pending_acceptance null`. */
async function versions(
  { customerId }: Pick<Person, 'customerId'>,
  type = 'privacy_notice',
): Promise<string[]> {
  const rows = await readDocumentsOf(engine.context(), { id: customerId, include: 'superseded' });
  return rows
    .filter((row) => row.document_type === type)
    .map(({ document_version, status, channel }) => `${document_version} ${status} ${channel}`);
}

/** The accepted row. */
async function inForce(person: Person, type = 'privacy_notice'): Promise<{ id: string }> {
  const { data } = await listDocuments(engine.context(), { id: person.customerId });
  const row = data.find((each) => each.document_type === type && each.status === 'accepted');
  return { id: uuid('document_acceptance', row?.id ?? '') };
}

/** Publishes to this customer only. @returns the version */
const publish = async (person: Person, type?: string) =>
  (await engine.run(publishDocument, await inForce(person, type))).version as string;

test('a published version supersedes a pending one, and when accepted the accepted one', async () => {
  const person = await api.approved('individual');
  const id = await inForce(person);
  const second = await engine.run(publishDocument, id);
  expect(second).toMatchObject({ version: '2026-02', status: 'pending_acceptance', channel: null });
  await engine.run(publishDocument, id);
  expect(await versions(person)).toEqual([
    '2026-03 pending_acceptance null',
    '2026-02 superseded null',
    '2026-01 accepted onboarding',
  ]);
  const waiting = uuid('document_acceptance', second.id);
  expect(await engine.refusal(publishDocument, { id: waiting })).toMatchObject({
    code: 'invalid_state',
  });
  await accept(person);
  expect(await versions(person)).toEqual([
    '2026-03 accepted terms_acceptance',
    '2026-02 superseded null',
    '2026-01 superseded onboarding',
  ]);
  expect(await engine.events(waiting)).toEqual([
    'document_acceptance.pending_acceptance',
    'document_acceptance.superseded',
  ]);
  expect(await engine.events(id.id)).toEqual([
    'document_acceptance.accepted',
    'document_acceptance.superseded',
  ]);
});

test('the API lists what is accepted or to be accepted; the portal superseded rows too', async () => {
  const person = await api.approved('individual');
  const listed = async (at: string, query = '') => {
    const { data } = await api.get(`${at}/customers/${person.customerId}/documents${query}`);
    const notices = data.filter((row: ReplyBody) => row.document_type === 'privacy_notice');
    return notices.map(({ version, status }: ReplyBody) => `${version} ${status}`);
  };
  const [second, third] = [await publish(person), await publish(person)];
  expect(await listed('/v1')).toEqual([`${third} pending_acceptance`, '2026-01 accepted']);
  await accept(person);
  expect(await listed('/v1')).toEqual([`${third} accepted`]);
  expect(await listed('/portal/api')).toEqual([`${third} accepted`]);
  expect(await listed('/portal/api', '?include=superseded')).toEqual([
    `${third} accepted`,
    `${second} superseded`,
    '2026-01 superseded',
  ]);
  const wrong = `/portal/api/customers/${person.customerId}/documents?include=all`;
  expect((await server.call('GET', wrong)).body.error).toMatchObject({ param: 'include' });
  expect((await server.call('GET', '/portal/api/customers/cus_x/documents')).status).toBe(404);
});

test('terms_acceptance accepts every pending document, and declining leaves them pending', async () => {
  const person = await api.approved('individual');
  const version = await publish(person, 'esign_consent');
  const flow = { flow: 'terms_acceptance', customer_id: person.customerId };
  const declined = await api.post('/v1/sessions', flow);
  await api.simulate('session.completed', declined.id, 'confirmation_declined');
  expect(await versions(person, 'esign_consent')).toContain(`${version} pending_acceptance null`);
  const exchange = (id: string) =>
    api.post('/v1/sessions/exchange', { result_token: `rt_test_${id}` });
  expect(await exchange(declined.id)).toMatchObject({
    status: 'completed',
    terms_decision: 'declined',
  });
  const accepted = await api.post('/v1/sessions', flow);
  await api.simulate('session.completed', accepted.id);
  expect(await versions(person, 'esign_consent')).toEqual([
    `${version} accepted terms_acceptance`,
    '2026-01 superseded onboarding',
  ]);
  expect(await exchange(accepted.id)).toMatchObject({ terms_decision: 'accepted' });
});

test('a new application after a rejection accepts nothing twice', async () => {
  const created = await api.customer('individual');
  const id = uuid('customer', created.id);
  await engine.run(onboard, { id });
  await engine.run(rejectCustomer, { id });
  await engine.moveClock(daySeconds);
  await engine.run(onboard, { id });
  const { data } = await listDocuments(engine.context(), { id: created.id });
  expect(data).toHaveLength(4);
});

describe('a version published to all', () => {
  const publishing = () => publishForAll({ db: server.service.db });
  /** One run of the job; @returns whether it is scheduled again. */
  async function spreadOnce(atOnce?: number): Promise<boolean> {
    const { db } = server.service;
    const { rows } = await server.service.pool.query<{ ref: string }>(
      `select ref from jobs where name = 'publication_spread' order by ref`,
    );
    for (const { ref } of rows) await engine.run(documentPublicationJob({ db }, atOnce), { ref });
    return rows.length > 0;
  }
  async function spread(): Promise<void> {
    while (await spreadOnce());
  }

  test('is pending for each customer who accepted an earlier one, and in force for new customers', async () => {
    const type = 'cip_notice';
    const [ana, ben] = [await api.approved('individual'), await api.approved('individual')];
    const own = await publish(ben, type);
    const published = await engine.run(publishing(), {
      document_type: type,
      ...newVersion('2027-01'),
    });
    expect(published).toMatchObject({ object: 'document_publication', document_type: type });
    expect(published.customers).toBeGreaterThanOrEqual(2);
    const cleo = await api.approved('individual');
    await spread();
    const [waiting, first] = await versions(ana, type);
    expect(first).toBe('2026-01 accepted onboarding');
    const version = String(waiting?.split(' ')[0]);
    expect(waiting).toBe(`${version} pending_acceptance null`);
    expect(version > own).toBe(true);
    expect(await versions(ben, type)).toEqual([
      `${version} pending_acceptance null`,
      `${own} superseded null`,
      '2026-01 accepted onboarding',
    ]);
    expect(await versions(cleo, type)).toEqual([`${version} accepted onboarding`]);
    expect((await versions(ana, 'privacy_notice')).length).toBe(1);
  });

  test('is pending once for a customer however often its job runs', async () => {
    const type = 'esign_consent';
    const person = await api.approved('individual');
    await engine.run(publishing(), { document_type: type, ...newVersion('2027-01') });
    await spreadOnce();
    const before = await versions(person, type);
    await engine.query(
      `update document_publications set spread_to = null, revision = revision + 1
       where tenant_id = $1 and spread_at is null`,
    );
    await spread();
    expect(await versions(person, type)).toEqual(before);
    expect(before[0]).toMatch(/pending_acceptance/);
  });

  test('is replaced by a later one, which alone is pending', async () => {
    const type = 'privacy_notice';
    const person = await api.approved('individual');
    await engine.run(publishing(), { document_type: type, ...newVersion('2027-01') });
    await engine.run(publishing(), { document_type: type, ...newVersion('2027-02') });
    await spread();
    const rows = await versions(person, type);
    expect(rows.map((row) => row.split(' ')[1])).toEqual(['pending_acceptance', 'accepted']);
  });

  test('reaches more customers than one command holds, each once', async () => {
    const type = 'acceptable_use_policy';
    const shops: Person[] = [];
    for (let n = 0; n < 5; n += 1) shops.push(await api.approved('business'));
    await engine.run(publishing(), { document_type: type, ...newVersion('2026-02') });
    let runs = 0;
    while (await spreadOnce(2)) runs += 1;
    expect(runs).toBeGreaterThanOrEqual(3);
    for (const shop of shops)
      expect(await versions(shop, type)).toEqual([
        '2026-02 pending_acceptance null',
        '2026-01 accepted onboarding',
      ]);
  });
});

describe('a version that waits 30 days', () => {
  const restricted = { code: 'account_restricted', details: { reason: 'terms_pending' } };
  const waitSeconds = 30 * daySeconds;

  test('blocks new payments and withdrawals until it is accepted, but not loads', async () => {
    const ana = await api.banked('individual');
    const shop = await api.approved('business');
    await api.fund(ana, 100_00);
    await publish(ana);
    const pay = () => api.pay(ana, shop, 100);
    const withdraw = () => api.withdraw(ana, 100);
    await engine.moveClock(waitSeconds - 60);
    expect(await pay()).toMatchObject({ object: 'payment' });
    await engine.moveClock(60);
    expect(await refusalOf(pay())).toMatchObject(restricted);
    expect(await refusalOf(withdraw())).toMatchObject(restricted);
    await api.fund(ana, 10_00);
    await accept(ana);
    expect(await pay()).toMatchObject({ object: 'payment' });
    expect(await withdraw()).toMatchObject({ object: 'withdrawal' });
  });

  test('blocks refund requests of the merchant, but nothing of its payers', async () => {
    const ana = await api.banked('individual');
    const shop = await api.approved('business');
    await api.fund(ana, 100_00);
    const pay = async () => {
      const payment = await api.pay(ana, shop, 1_000);
      await engine.run(answer('confirm', 'payment'), { id: uuid('payment', payment.id) });
      return payment;
    };
    const payment = await pay();
    await publish(shop, 'merchant_services_agreement');
    await engine.moveClock(waitSeconds);
    const refund = () => api.refund(payment, 100);
    expect(await refusalOf(refund())).toMatchObject(restricted);
    expect(await pay()).toMatchObject({ object: 'payment' });
    await accept(shop);
    expect(await refund()).toMatchObject({ object: 'refund' });
  });

  test('counts from the oldest pending version; a superseded one no longer counts', async () => {
    const person = await api.approved('individual');
    const dueAt = async () => {
      const { rows } = await server.service.pool.query<{ at: string | null }>(
        `select extract(epoch from terms_due_at - (select min(created_at) from documents d
           where d.customer_id = c.id and d.status = 'pending_acceptance'))::integer as at
         from customers c where id = $1`,
        [uuid('customer', person.customerId)],
      );
      return rows[0]?.at;
    };
    expect(await dueAt()).toBeNull();
    await publish(person, 'privacy_notice');
    await engine.moveClock(daySeconds);
    await publish(person, 'cip_notice');
    expect(await dueAt()).toBe(waitSeconds);
    await engine.moveClock(daySeconds);
    await publish(person, 'privacy_notice');
    expect(await dueAt()).toBe(waitSeconds);
    await accept(person);
    expect(await dueAt()).toBeNull();
  });
});
