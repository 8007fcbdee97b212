import { afterAll, afterEach, expect, test } from 'vitest';
import { redactionJob } from '../../../service/jobs/redaction.ts';
import { erasureJob } from '../../../service/resources/customers/erasure/erasure.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { person } from '../../../test/kit/pages/applicant.ts';
import { allPassed, documentFailed } from '../../../test/kit/plaid/verifications.ts';
import { openVerifying } from '../../../test/kit/plaid/verifying.ts';

/** `IDENTITY=plaid`: individuals are verified by Plaid, and the others by the reviewers (rules/identity#16 to #20). */

const plaid = await openVerifying({ onLog: () => {} });
const { counterpart, server } = plaid;
const { api, engine } = server;
afterAll(() => counterpart.close());
afterEach(() => expect(counterpart.faults).toEqual([]));

test('an application is one attempt at Plaid, with what the applicant gave and agreed to, and waits there', async () => {
  const { id } = await plaid.applied();
  const [attempt, ...others] = plaid.attemptsOf(id);
  expect(others).toEqual([]);
  expect(attempt?.user).toMatchObject({
    name: { given_name: 'Ana', family_name: 'Reyes' },
    date_of_birth: person.birth_date,
    id_number: { type: 'us_ssn', value: person.ssn },
    address: { street: '1 Main St', city: 'New York', region: 'NY', country: 'US' },
    email_address: expect.stringContaining('@'),
    phone_number: expect.stringMatching(/^\+1\d{10}$/),
  });
  expect(counterpart.calls('/identity_verification/create').at(-1)?.body).toMatchObject({
    gave_consent: true,
    is_idempotent: true,
    is_shareable: false,
  });
  expect(await plaid.statusOf(id)).toBe('pending');
  expect(await plaid.messagesOf(id)).toEqual([]);
});

test('who has passed all is approved once, however often and in which order it is told', async () => {
  const { id } = await plaid.applied();
  const attempt = plaid.ended(id);
  expect(await Promise.all([plaid.tell(attempt), plaid.tell(attempt)])).toEqual([200, 200]);
  expect(await plaid.tell(attempt)).toBe(200);
  expect(await plaid.poll()).toBe('done');
  expect(await plaid.statusOf(id)).toBe('approved');
  expect(await plaid.messagesOf(id)).toMatchObject([{ state: 'taken', result: 'taken' }]);
  expect(await engine.events(uuid('customer', id))).toEqual([
    'customer.created',
    'customer.pending',
    'customer.approved',
  ]);
});

test('who has failed is rejected, and the reviewer reads what each check found and no more', async () => {
  const { id } = await plaid.applied();
  await plaid.tell(plaid.ended(id, documentFailed));
  expect(await plaid.statusOf(id)).toBe('rejected');
  const { checks } = await api.get(`/portal/api/identity/customers/${id}`);
  expect(checks).toMatchObject([
    {
      decision: 'rejected',
      reasons: ['failed'],
      signals: expect.arrayContaining([
        'kyc_check: failed (address_partial_match, name_no_match, phone_number_no_data)',
        'documentary_verification: failed (expiration_date_expired)',
        'risk_check: passed',
      ]),
    },
  ]);
});

test.each([
  ['pending_review', 'in_review'],
  ['expired', 'in_review'],
  ['canceled', 'in_review'],
])(
  "an attempt that is %s is the reviewer's case, which a later word of Plaid still ends",
  async (status, becomes) => {
    const { id } = await plaid.applied();
    await plaid.tell(plaid.ended(id, { status }));
    expect(await plaid.statusOf(id)).toBe(becomes);
    await plaid.tell(plaid.ended(id, allPassed));
    expect(await plaid.statusOf(id)).toBe('approved');
  },
);

test('who applies again is a new attempt, and the one before says nothing any more', async () => {
  const { id } = await plaid.applied();
  const first = plaid.ended(id, documentFailed);
  await plaid.tell(first);
  await api.post('/portal/api/clock/advance', { seconds: 24 * 3600 + 1 });
  const session = await api.post('/v1/sessions', { customer_id: id, flow: 'onboarding' });
  const page = await plaid.proven(session.token);
  await plaid.send(page, { first_name: 'Anna' });
  await server.runJobs();
  expect(plaid.attemptsOf(id)).toHaveLength(2);
  expect(plaid.attemptOf(id)).toMatchObject({
    previous: first.id,
    user: { name: { given_name: 'Anna' } },
  });
  await plaid.tell(Object.assign(first, allPassed));
  expect(await plaid.statusOf(id)).toBe('pending');
  await plaid.tell(plaid.ended(id));
  expect(await plaid.statusOf(id)).toBe('approved');
});

test('the page opens the step at Plaid while it waits for the applicant, and not before or after', async () => {
  const { id, onboarding_session } = await api.customer('individual');
  const page = await plaid.proven(onboarding_session.token);
  expect(page.view.onboarding.has_identity_step).toBe(false);
  expect((await page.ask('/identity-step', {})).body.error.details.reason).toBe('no_identity_step');
  await plaid.send(page);
  await server.runJobs();
  expect((await page.look()).onboarding.has_identity_step).toBe(true);
  const { status, body } = await page.ask('/identity-step', {});
  expect(status).toBe(200);
  expect(counterpart.state.linkTokens.get(body.link_token)).toMatchObject({
    products: ['identity_verification'],
    identity_verification: { template_id: counterpart.state.template, gave_consent: true },
    user: { client_user_id: uuid('customer', id) },
    client_name: 'Corner Bank',
  });
  plaid.ended(id);
  expect((await page.ask('/identity-step', {})).body).toEqual({ link_token: null });
  await plaid.poll();
  expect((await page.ask('/identity-step', {})).body.error.details.reason).toBe('no_identity_step');
  expect(plaid.attemptsOf(id)).toHaveLength(1);
});

test("a business and its owners are not asked about: they are the reviewer's", async () => {
  const { id, onboarding_session } = await api.customer('business');
  counterpart.state.calls.length = 0;
  const { identity } = server.rails;
  const { tenantId } = server.tenant;
  const address = {
    line1: '1 Main St',
    line2: null,
    city: 'Bath',
    state: 'ME',
    postalCode: '04530',
  };
  const subjectId = uuid('customer', id);
  const data = { legalName: 'Corner Cafe LLC', ein: '123456789', address };
  await identity.collect({ tenantId, subject: 'customer', subjectId, customerId: subjectId, data });
  await api.simulate('session.completed', onboarding_session.id);
  await server.runJobs();
  expect(await plaid.messagesOf(id)).toMatchObject([{ state: 'taken' }]);
  expect(await plaid.statusOf(id)).toBe('in_review');
  const { data: owners } = await api.get(`/v1/customers/${id}/owners`);
  expect(owners).toMatchObject([{ verification_status: 'in_review' }]);
  expect(counterpart.state.calls).toEqual([]);
});

test('the answers for a new PIN are compared with what was given, and Plaid is not asked', async () => {
  const { id } = await plaid.applied();
  counterpart.state.calls.length = 0;
  const asked = { tenantId: server.tenant.tenantId, subject: 'customer', reference: null } as const;
  const matches = (birthDate: string, ssnLast4: string) =>
    server.rails.identity.matches({
      ...asked,
      subjectId: uuid('customer', id),
      answers: { birthDate, ssnLast4 },
    });
  const last4 = person.ssn.slice(-4);
  expect(await matches(person.birth_date, last4)).toBe(true);
  expect(await matches('1987-03-15', last4)).toBe(false);
  expect(await matches(person.birth_date, '0000')).toBe(false);
  expect(counterpart.state.calls).toEqual([]);
});

test('what Plaid has been told is not kept here, and the rest is sealed and goes with the customer', async () => {
  const { id } = await plaid.applied({ ssn: '521739847' });
  await plaid.tell(plaid.ended(id, documentFailed));
  const kept = await plaid.objectsOf(id);
  expect(kept.map(({ kind }) => kind).sort()).toEqual(['applied', 'verification']);
  const text = JSON.stringify(kept);
  expect(text).toContain('9847');
  for (const gone of ['521739847', '1 Main St', 'Reyes']) expect(text).not.toContain(gone);
  const rows = await engine.query<{ text: string }>(
    `select o::text as text from rail_objects o where tenant_id = $1 and record = $2
     union all select m::text from rail_messages m where tenant_id = $1 and record = $2`,
    uuid('customer', id),
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { text: row } of rows) expect(row).not.toMatch(/9847|1987-03-14|name_no_match/);
});

test('five years after the end the erasure of a customer leaves nothing that is remembered of them', async () => {
  const { id } = await plaid.applied();
  await plaid.tell(plaid.ended(id));
  const [account] = (await api.get(`/v1/accounts?customer_id=${id}`)).data;
  await api.close({ customerId: id });
  await api.simulate('account.closed', account.id);
  await engine.moveClock(5 * 366 * 86_400);
  await engine.run(redactionJob(server.service), { ref: server.tenant.tenantId });
  expect(await plaid.objectsOf(id)).toHaveLength(2);
  await api.post(`/portal/api/review/customers/${id}/erase`, { note: 'asked for' });
  await engine.run(erasureJob(server.service), { ref: uuid('customer', id) });
  expect(await plaid.objectsOf(id)).toEqual([]);
  const said = await engine.query(
    'select said_sealed from rail_messages where tenant_id = $1 and record = $2',
    uuid('customer', id),
  );
  expect(said.every(({ said_sealed }) => said_sealed === null)).toBe(true);
});
