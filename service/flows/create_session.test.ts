import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onboard } from '../../test/kit/engine.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { openHostedPages } from '../../test/kit/pages/hosted.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import {
  approveCustomer,
  holdCustomerForReview,
  rejectCustomer,
  requestMore,
} from '../resources/customers/moves.ts';
import { approveOwner } from '../resources/customers/owners/moves.ts';
import { deadlineJobOf, sessionEndJob } from './end_session.ts';

let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
await engine.change({ return_urls: ['https://shop.example/done'] });
const ben = await api.banked('individual');
beforeEach(async () => {
  ana = await api.banked('individual');
});

const daySeconds = 24 * 3600;
const post = (body: object): Promise<ReplyBody> => api.post('/v1/sessions', body);
const onboarding = (customer_id: string) => post({ flow: 'onboarding', customer_id });
const load = ({ customerId }: Person): Promise<ReplyBody> => api.load({ customerId }, 500);
const confirm = ({ customerId }: Person, target: object) => ({
  flow: 'payment_confirm',
  customer_id: customerId,
  target,
});
const statusOf = async ({ id }: ReplyBody) => (await api.get(`/v1/loads/${id}`)).status;
const events = (session: ReplyBody) => engine.events(uuid('session', session.id));

describe('refusals come in the order of rules/sessions#6', () => {
  const refused = (reason: string, param: string) => ({
    code: 'session_invalid',
    param,
    details: { reason },
  });

  test('only payment_confirm needs a target', async () => {
    const { customerId: customer_id } = ana;
    for (const target of [undefined, null])
      expect(await refusalOf(post({ flow: 'payment_confirm', customer_id, target }))).toMatchObject(
        {
          code: 'parameter_missing',
          param: 'target',
        },
      );
    expect(await post({ flow: 'pin_reset', customer_id, target: null })).toMatchObject({
      object: 'session',
      target: null,
    });
  });

  test('session_invalid for customer, target, its customer, its flow and return_url comes in this order, before the state', async () => {
    const foreign = await load(ben);
    await api.simulate('session.canceled', foreign.id, 'confirmation_declined');
    const own = await load(ana);
    await api.simulate('session.canceled', own.id, 'confirmation_declined');
    const elsewhere = { return_url: 'https://elsewhere.example' };
    const unknown = { type: 'load', id: 'load_unknown' };
    const others = { type: 'load', id: foreign.id };
    const mine = { type: 'load', id: own.id };
    const unknownCustomer = { customer_id: 'cus_unknown' };
    const onboardingAna = { ...confirm(ana, unknown), flow: 'onboarding' };
    expect(
      await refusalOf(post({ ...onboardingAna, ...unknownCustomer, ...elsewhere })),
    ).toMatchObject(refused('customer_not_found', 'customer_id'));
    expect(await refusalOf(post({ ...onboardingAna, ...elsewhere }))).toMatchObject(
      refused('target_not_found', 'target.id'),
    );
    expect(await refusalOf(post({ ...onboardingAna, ...elsewhere, target: others }))).toMatchObject(
      refused('target_of_other_customer', 'target.id'),
    );
    expect(await refusalOf(post({ ...onboardingAna, ...elsewhere, target: mine }))).toMatchObject(
      refused('target_not_allowed', 'target'),
    );
    expect(await refusalOf(post({ ...confirm(ana, mine), ...elsewhere }))).toMatchObject(
      refused('return_url_not_registered', 'return_url'),
    );
    expect(await refusalOf(post(confirm(ana, mine)))).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'failed', allowed: ['requires_confirmation'] },
    });
  });

  test("another tenant's customer is unknown", async () => {
    const other = await server.anotherTenant();
    const body = { flow: 'onboarding', customer_id: ana.customerId };
    const { token } = other;
    const reply = await server.call('POST', '/v1/sessions', { body, key: 'x', token });
    expect(reply.body.error).toMatchObject({ details: { reason: 'customer_not_found' } });
  });

  test('invalid_state comes before a closed account', async () => {
    await api.close(ana);
    const { tenantId } = server.tenant;
    await server.workers.jobs.runDueJobs(tenantId);
    expect(await refusalOf(onboarding(ana.customerId))).toMatchObject({ code: 'invalid_state' });
    for (const flow of ['pin_reset', 'contact_change', 'terms_acceptance'])
      expect(await refusalOf(post({ flow, customer_id: ana.customerId }))).toMatchObject({
        code: 'account_restricted',
        details: { reason: 'closed' },
      });
  });

  test.each(['pin_reset', 'contact_change'])('%s without a PIN is 409', async (flow) => {
    const { id } = await api.customer('individual');
    expect(await refusalOf(post({ flow, customer_id: id }))).toMatchObject({
      details: { current_status: 'created', reason: 'no_pin' },
    });
  });
});

describe('onboarding', () => {
  const refused = (current_status: string, reason?: string) => ({
    code: 'invalid_state',
    details: {
      current_status,
      allowed: ['created', 'pending', 'rejected'],
      ...(reason ? { reason } : {}),
    },
  });
  const opened = { object: 'session', flow: 'onboarding', status: 'created' };

  test('is open at first, when more was requested, and after a rejection from retry_available_at on', async () => {
    const { id: customer } = await api.customer('individual');
    const id = uuid('customer', customer);
    expect(await onboarding(customer)).toMatchObject(opened);
    await api.simulate('customer.pending', customer);
    expect(await refusalOf(onboarding(customer))).toMatchObject(refused('pending'));
    await engine.run(holdCustomerForReview, { id });
    expect(await refusalOf(onboarding(customer))).toMatchObject(refused('in_review'));
    await engine.run(requestMore, { id });
    const more = await onboarding(customer);
    expect(more).toMatchObject(opened);
    await api.simulate('session.completed', more.id);
    expect(await refusalOf(onboarding(customer))).toMatchObject(refused('pending'));
    for (const wait of [daySeconds, 7 * daySeconds]) {
      await engine.run(rejectCustomer, { id });
      expect(await refusalOf(onboarding(customer))).toMatchObject(
        refused('rejected', 'retry_available_at'),
      );
      await engine.moveClock(wait);
      const again = await onboarding(customer);
      expect(again).toMatchObject(opened);
      await api.simulate('session.completed', again.id);
    }
    await engine.run(rejectCustomer, { id });
    await engine.moveClock(60 * daySeconds);
    expect(await refusalOf(onboarding(customer))).toMatchObject(refused('rejected', 'final'));
  });

  test('stays open for a business that waits for its owners', async () => {
    const { id: customer } = await api.customer('business');
    const id = uuid('customer', customer);
    await engine.run(onboard, { id });
    expect(await onboarding(customer)).toMatchObject(opened);
    const { data } = await api.get(`/v1/customers/${customer}/owners`);
    await engine.run(approveOwner, { id: uuid('owner', data[0].id) });
    expect(await refusalOf(onboarding(customer))).toMatchObject(refused('pending'));
    await engine.run(approveCustomer, { id });
    expect(await refusalOf(onboarding(customer))).toMatchObject(refused('approved'));
  });

  test('a customer submits only in a live session', async () => {
    const { id: customer, onboarding_session } = await api.customer('individual');
    await api.simulate('session.expired', onboarding_session.id);
    expect(await refusalOf(api.simulate('customer.pending', customer))).toMatchObject({
      code: 'invalid_state',
    });
    await onboarding(customer);
    await api.simulate('customer.pending', customer);
    expect(await api.get(`/v1/customers/${customer}`)).toMatchObject({
      verification: { status: 'pending' },
    });
  });
});

test('a newer session of a flow or target cancels the one before without a result token', async () => {
  const record = await load(ana);
  const target = { type: 'load', id: record.id };
  const second = await post(confirm(ana, target));
  expect(await events(record.confirmation_session)).toEqual(['session.canceled']);
  const [first, newer] = [
    await post({ flow: 'contact_change', customer_id: ana.customerId }),
    await post({ flow: 'contact_change', customer_id: ana.customerId }),
  ];
  expect(await events(first)).toEqual(['session.canceled']);
  expect(await events(newer)).toEqual([]);
  expect(await refusalOf(api.simulate('session.completed', first.id))).toMatchObject({
    code: 'invalid_state',
  });
  for (const { id } of [record.confirmation_session, first])
    expect(
      await refusalOf(api.post('/v1/sessions/exchange', { result_token: `rt_test_${id}` })),
    ).toMatchObject({ code: 'result_token_invalid', details: { reason: 'unknown' } });
  await api.simulate('session.completed', second.id);
  expect(await statusOf(record)).toBe('processing');
});

test('only a record or terms can be declined, and every flow can be left', async () => {
  const session = await post({ flow: 'contact_change', customer_id: ana.customerId });
  for (const event of ['session.canceled', 'session.completed'])
    expect(await refusalOf(api.simulate(event, session.id, 'confirmation_declined'))).toMatchObject(
      {
        code: 'parameter_invalid',
        param: 'failure_code',
        details: { reason: 'not_of_this_flow' },
      },
    );
  await api.simulate('session.canceled', session.id);
  const outcome = await api.post('/v1/sessions/exchange', {
    result_token: `rt_test_${session.id}`,
  });
  expect(outcome).toMatchObject({ status: 'canceled', terms_decision: null, target: null });
});

describe('the deadline of a record', () => {
  const grace = 120;
  const runDeadline = (id: string) => engine.run(deadlineJobOf('load'), { ref: uuid('load', id) });
  const runEnd = (session: ReplyBody) =>
    engine.run(sessionEndJob, { ref: uuid('session', session.id) });
  const jobs = async (id: string) => (await engine.jobs(uuid('load', id))).map(({ name }) => name);
  const leftAt = async () => {
    const record = await load(ana);
    await api.simulate('session.canceled', record.id);
    return record;
  };
  beforeAll(() => engine.change({ confirmation_grace_seconds: grace }));

  test('is the grace after the end of its session, expired or left', async () => {
    const left = await leftAt();
    const unopened = await load(ana);
    await engine.moveClock(15 * 60);
    await runEnd(unopened.confirmation_session);
    for (const { id } of [left, unopened]) expect(await jobs(id)).toEqual(['load_deadline']);
    expect(await statusOf(left)).toBe('requires_confirmation');
    await runDeadline(left.id);
    await engine.moveClock(grace);
    await runDeadline(unopened.id);
    for (const { id } of [left, unopened])
      expect(await api.get(`/v1/loads/${id}`)).toMatchObject({
        status: 'failed',
        failure_code: 'confirmation_expired',
      });
  });

  test('is taken away by a new session within the grace', async () => {
    const record = await leftAt();
    await engine.moveClock(grace - 1);
    const session = await post(confirm(ana, { type: 'load', id: record.id }));
    expect(await jobs(record.id)).toEqual([]);
    await engine.moveClock(grace);
    await api.simulate('session.completed', session.id);
    expect(await statusOf(record)).toBe('processing');
  });

  test('declining ends the record at once', async () => {
    const record = await load(ana);
    await api.simulate('session.canceled', record.id, 'confirmation_declined');
    expect(await api.get(`/v1/loads/${record.id}`)).toMatchObject({
      status: 'failed',
      failure_code: 'confirmation_declined',
    });
    expect(await jobs(record.id)).toEqual([]);
  });
});

test("a session without return_url returns to the Tenant's first, and its own field stays null", async () => {
  const first = 'https://shop.example/done';
  const second = 'https://shop.example/other';
  await engine.change({ return_urls: [first, second] });
  const pages = openHostedPages(server);
  const wayBack = async (token: string) => (await pages.page(token)).view.return_url;
  const flow = { flow: 'terms_acceptance', customer_id: ana.customerId };
  expect(await wayBack((await load(ana)).confirmation_session.token)).toBe(first);
  const unnamed = await post(flow);
  expect([unnamed.return_url, await wayBack(unnamed.token)]).toEqual([null, first]);
  expect(await wayBack((await post({ ...flow, return_url: second })).token)).toBe(second);
  const { token } = (await load(ana)).confirmation_session;
  await engine.change({ return_urls: [] });
  expect(await wayBack(token)).toBeNull();
  await engine.change({ return_urls: [first] });
});
