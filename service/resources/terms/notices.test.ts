import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../contract/core/settings.ts';
import { openEngine } from '../../../test/kit/engine.ts';
import { realTexts } from '../../../test/kit/go_live.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';
import { readLongerPeriods } from '../customers/documents/read.ts';
import { effectiveFrom } from './effective.ts';

/** Worse terms wait until each consumer was given the notice, and 21 days more [12 CFR 1005.8(a)(1)]. */

const server = await openServer({ manual: true });

const { limits } = defaultSettings('');
const [before, after] = [limits.payment_daily.individual, 6_000_00];
const daySeconds = 86_400;

/** A Tenant with one consumer, whom notices reach. */
async function opened() {
  const tenant = await server.anotherTenant({ calendar: false });
  const api = server.apiOf(tenant);
  const engine = openEngine(server.service, tenant.tenantId);
  const now = async (): Promise<Instant> => (await api.get('/portal/api/clock')).now;
  const daily = async () => (await api.get('/portal/api/settings')).limits.payment_daily.individual;
  const change = async () => (await api.get('/portal/api/consumer-terms')).changes[0];
  const to = async (at: Instant) =>
    api.advance(Math.ceil((Date.parse(at) - Date.parse(await now())) / 1000));
  const consumer = (email = 'someone@example.com') => api.approved('individual', { email });
  return {
    api,
    engine,
    now,
    change,
    consumer,
    first: await consumer(),
    /** The notices, oldest first. */
    notices: () =>
      engine.query<{ id: string; customer_id: string; status: string; sent_at: Instant }>(
        `select id, customer_id, status, sent_at from notices
         where tenant_id = $1 and kind = 'terms_changed' order by created_at, id`,
      ),
    async lower() {
      const payment_daily = { ...limits.payment_daily, individual: after };
      await api.put('/portal/api/settings', { limits: { ...limits, payment_daily } });
      await server.runJobs(tenant.tenantId);
    },
    /** Publishes terms of the account. @param isSilent they say no longer periods for new accounts */
    async publish(version: string, isSilent = false) {
      const [texts] = realTexts(version);
      const { title, text } = texts ?? expect.fail();
      const en = isSilent ? text.en.replace(/For new accounts,[^.]*\./, '') : text.en;
      const path = '/portal/api/review/documents/digital_account_terms/publish';
      await api.post(path, { version, title, text: { ...text, en } });
      await server.runJobs(tenant.tenantId);
    },
    async accept(customer_id: string) {
      const session = await api.post('/v1/sessions', { customer_id, flow: 'terms_acceptance' });
      await api.simulate('session.completed', session.id);
    },
    longer: (customerId: string) =>
      readLongerPeriods(server.service.db, tenant.tenantId, uuid('customer', customerId)),
    /** The version of terms that waits for a customer. */
    waiting: async (customerId: string): Promise<ReplyBody> =>
      (await api.get(`/portal/api/customers/${customerId}/documents`)).data.find(
        ({ status }: ReplyBody) => status === 'pending_acceptance',
      ),
    days: (count: number) => api.advance(count * daySeconds),
    run: () => server.runJobs(tenant.tenantId),
    daily,
    /** Proves that it holds from this moment on, and not before. */
    async holdsFrom(at: Instant) {
      await to(addSeconds(at, -60));
      expect(await daily()).toBe(before);
      await to(addSeconds(at, 60));
      expect(await daily()).toBe(after);
    },
    async give(id: string) {
      const path = `/portal/api/review/notices/${publicId('notice', id)}/give`;
      await api.post(path, { finding: 'by post' });
      return effectiveFrom(await now());
    },
  };
}
type Opened = Awaited<ReturnType<typeof opened>>;

async function taskOf({ notices }: Opened) {
  const [task, ...more] = (await notices()).filter(({ status }) => status === 'task');
  expect(more).toEqual([]);
  return task?.id ?? expect.fail();
}

test('they do not hold while a notice is the task of a person, and 21 days after it was given they do', async () => {
  const of = await opened();
  await of.consumer('bounced@example.com');
  await of.lower();
  const task = await taskOf(of);
  await of.days(40);
  expect(await of.daily()).toBe(before);
  const from = await of.give(task);
  await of.holdsFrom(from);
  expect(await of.change()).toMatchObject({ status: 'in_force', effective_at: from });
});

test('the 21 days run from the sending of the last notice, not from when it was written', async () => {
  const of = await opened();
  await of.lower();
  await of.days(3);
  const sent = await of.now();
  // The provider was away for three days.
  await of.engine.query(
    `update notices set sent_at = $2, revision = revision + 1
     where tenant_id = $1 and kind = 'terms_changed'`,
    sent,
  );
  await of.holdsFrom(effectiveFrom(sent));
});

test('who joins meanwhile is told once, on joining, before the terms hold', async () => {
  const of = await opened();
  await of.lower();
  const { effective_at } = await of.change();
  await of.days(5);
  const eva = await of.consumer();
  await of.run();
  const of_eva = (await of.notices()).filter(
    ({ customer_id }) => customer_id === uuid('customer', eva.customerId),
  );
  expect(of_eva).toMatchObject([{ status: 'sent' }]);
  // A business and who was a consumer before are told nothing more.
  await of.api.approved('business');
  await of.holdsFrom(effective_at);
  expect(await of.notices()).toHaveLength(2);
});

test('they wait for the notice of who joined too', async () => {
  const of = await opened();
  await of.lower();
  await of.days(5);
  await of.consumer('bounced@example.com');
  await of.run();
  await of.days(25);
  expect(await of.daily()).toBe(before);
  await of.give(await taskOf(of));
  await of.days(1);
  expect(await of.daily()).toBe(after);
});

test('a consumer whom the telling has missed is told before they hold, 21 days before', async () => {
  const of = await opened();
  await of.lower();
  await of.days(5);
  const eva = await of.consumer();
  await of.run();
  // Her account opened while the others were told.
  for (const table of ['notices', 'customer_messages'])
    await of.engine.query(
      `delete from ${table} where tenant_id = $1 and kind = 'terms_changed' and customer_id = $2`,
      uuid('customer', eva.customerId),
    );
  await of.engine.query(`delete from jobs j where tenant_id = $1 and name = 'notice_end'
    and not exists (select from notices n where n.tenant_id = $1 and n.id = j.ref)`);
  await of.days(20);
  expect(await of.daily()).toBe(before);
  const [, late] = await of.notices();
  await of.holdsFrom(effectiveFrom(late?.sent_at ?? expect.fail()));
});

test('an account that has closed is waited for no longer', async () => {
  const of = await opened();
  const gone = await of.consumer('bounced@example.com');
  await of.lower();
  const { effective_at } = await of.change();
  await of.api.close({ customerId: gone.customerId });
  await of.api.simulate('account.closed', gone.accountId);
  await of.holdsFrom(effective_at);
});

test('what was set otherwise meanwhile is not waited for', async () => {
  const of = await opened();
  await of.consumer('bounced@example.com');
  await of.lower();
  const payment_daily = { ...limits.payment_daily, individual: 12_000_00 };
  await of.api.put('/portal/api/settings', { limits: { ...limits, payment_daily } });
  await of.days(23);
  expect(await of.change()).toMatchObject({ status: 'in_force' });
  expect(await of.daily()).toBe(12_000_00);
});

test('a new version of a document holds 21 days after its notice was given, not after it was published', async () => {
  const of = await opened();
  const { customerId } = await of.consumer('bounced@example.com');
  await of.publish('2026-02');
  await of.days(25);
  const from = await of.give(await taskOf(of));
  expect((await of.waiting(customerId)).effective_at).toBe(from);
  // Whom the mail reached is not concerned.
  expect((await of.waiting(of.first.customerId)).effective_at < from).toBe(true);
});

test('longer periods that a version says first are not used before its notice was given', async () => {
  const of = await opened();
  const { customerId } = await of.consumer('bounced@example.com');
  await of.publish('2026-02', true);
  await of.accept(customerId);
  await of.publish('2026-03');
  await of.accept(customerId);
  await of.days(25);
  expect(await of.longer(customerId)).toEqual({ areSaid: false, from: null });
  const tasks = (await of.notices()).filter(({ status }) => status === 'task');
  for (const { id } of tasks) await of.give(id);
  const from = effectiveFrom(await of.now());
  expect(await of.longer(customerId)).toEqual({ areSaid: true, from });
});

test('an applicant who had accepted the version before is told of the new one on joining', async () => {
  const of = await opened();
  const { id } = await of.api.customer('individual');
  await of.api.simulate('customer.pending', id);
  await of.publish('2026-02');
  const mine = async () =>
    (await of.notices()).filter(({ customer_id }) => customer_id === uuid('customer', id));
  expect(await mine()).toEqual([]);
  await of.api.simulate('customer.approved', id);
  await of.run();
  expect(await mine()).toMatchObject([{ status: 'sent' }]);
});
