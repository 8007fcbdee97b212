import { expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { refusalLine } from '../../test/kit/pages/hosted.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import { openInbound } from '../inbound/inbound.ts';

/** The effect of POST close on an application that was never approved. */

const server = await openServer({ manual: true });
const { api, engine } = server;
const { engine: commands, log } = server.service;

let lastNumber = 100;
const newNumber = () => `+1202555${String(++lastNumber).padStart(4, '0')}`;
const close = (customerId: string) => api.close({ customerId });

const ways = [
  { state: 'created', events: [] },
  { state: 'pending', events: ['customer.pending'] },
  { state: 'rejected', events: ['customer.pending', 'customer.rejected'] },
];

test.each(ways)(
  'an application that is $state is withdrawn for good',
  async ({ state, events }) => {
    const mobile_number = newNumber();
    const { id, onboarding_session } = await api.customer('individual', { mobile_number });
    for (const event of events) await api.simulate(event, id);
    const before = await api.get(`/v1/customers/${id}`);
    expect(before.verification.status).toBe(state);
    const shown = await close(id);
    expect(shown).toMatchObject({
      verification: { status: 'rejected', retry_available_at: null },
      account_id: null,
      mobile_number_last4: mobile_number.slice(-4),
      version: before.version + 1,
    });
    expect((await engine.events(uuid('customer', id))).at(-1)).toBe('customer.rejected');
    const opened = await server.call('POST', '/hosted/api/open', {
      token: null,
      body: { token: onboarding_session.token },
    });
    expect(refusalLine(opened)).toMatch(/^session_invalid/);
    for (const [flow, reason] of [
      ['onboarding', 'final'],
      ['terms_acceptance', 'withdrawn'],
      ['contact_change', 'withdrawn'],
    ] as const)
      expect(await refusalOf(api.session(flow, { customerId: id }))).toMatchObject({
        code: 'invalid_state',
        details: { reason },
      });
    // Withdrawn again: nothing changes. Its number is free, its reference is not.
    expect(await close(id)).toEqual(shown);
    await api.customer('individual', { mobile_number });
    const taken = api.customer('individual', { external_ref: shown.external_ref });
    expect(await refusalOf(taken)).toMatchObject({ code: 'duplicate_external_ref' });
  },
);

test('a withdrawal leaves neither a PIN nor a check that waits', async () => {
  const { id } = await api.customer('individual');
  await api.simulate('customer.pending', id);
  await close(id);
  const ref = uuid('customer', id);
  const pins = await engine.query(
    'select hash from pins where tenant_id = $1 and customer_id = $2',
    ref,
  );
  expect([pins, await engine.jobs(ref)]).toEqual([[{ hash: '' }], []]);
});

test('an application in review is not withdrawn', async () => {
  const { id } = await api.played(
    api.customer('individual'),
    'customer.pending',
    'customer.in_review',
  );
  expect(await refusalOf(close(id))).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'in_review', allowed: ['created', 'pending', 'rejected'] },
  });
});

test('a decision that comes after the withdrawal changes nothing and alarms nobody', async () => {
  const { id } = await api.played(api.customer('individual'), 'customer.pending');
  const shown = await close(id);
  const subject = { subject: 'customer', subjectId: uuid('customer', id) } as const;
  const inbound = openInbound({ engine: commands, log, asks: false });
  for (const decision of ['approved', 'rejected', 'unclear'] as const)
    expect(
      await inbound.identity(server.tenant.tenantId, {
        id: `${decision} ${id}`,
        ...subject,
        decision,
      }),
    ).toBe('known');
  expect(await api.get(`/v1/customers/${id}`)).toEqual(shown);
});

test('a session that is opened at the same moment ends with the application, and nobody has to try again', async () => {
  const applicants = await Promise.all(
    Array.from({ length: 20 }, () => api.customer('individual', { mobile_number: newNumber() })),
  );
  const calls = applicants.flatMap(({ id }) => [
    api.session('onboarding', { customerId: id }).catch((error: unknown) => error),
    close(id),
  ]);
  const replies = await Promise.all(calls);
  const opened = replies.filter(({ object }) => object === 'session');
  expect(opened.length).toBeGreaterThan(0);
  const states = await engine.query(
    'select distinct status from sessions where tenant_id = $1 and customer_id = any($2)',
    applicants.map(({ id }) => uuid('customer', id)),
  );
  expect(states).toEqual([{ status: 'canceled' }]);
});
