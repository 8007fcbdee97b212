import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api } = server;

const play = (event: string, object_id: string, failure_code?: string) =>
  server.call('POST', `/v1/sandbox/simulate/session.${event}`, {
    body: { object_id, failure_code },
  });

const outcome = ({ id }: { id: string }) =>
  api.post('/v1/sessions/exchange', { result_token: `rt_test_${id}` });

test("a customer's id completes the session in which it applies", async () => {
  const { id, onboarding_session } = await api.customer('individual');
  expect((await play('completed', id)).status).toBe(202);
  expect((await api.get(`/v1/customers/${id}`)).verification.status).toBe('pending');
  expect(await outcome(onboarding_session)).toMatchObject({ flow: 'onboarding' });
});

test.each(['pin_reset', 'contact_change', 'terms_acceptance'])(
  "a customer's id completes its session of %s",
  async (flow) => {
    const person = await api.approved('individual');
    const session = await api.session(flow, person);
    expect((await play('completed', person.customerId)).status).toBe(202);
    expect(await outcome(session)).toMatchObject({ flow, status: 'completed' });
  },
);

test('of two sessions that wait the latest ends, and then the other', async () => {
  const person = await api.approved('individual');
  const first = await api.session('terms_acceptance', person);
  const second = await api.session('pin_reset', person);
  expect((await play('canceled', person.customerId)).status).toBe(202);
  expect(await outcome(second)).toMatchObject({ status: 'canceled' });
  expect((await play('completed', person.customerId, 'confirmation_declined')).status).toBe(202);
  expect(await outcome(first)).toMatchObject({ terms_decision: 'declined' });
});

test('without a session that waits it is invalid_state, and an unknown customer not_found', async () => {
  const { customerId } = await api.approved('individual');
  for (const event of ['completed', 'canceled', 'expired'])
    expect((await play(event, customerId)).body.error).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'completed', allowed: ['created'] },
    });
  const other = await server.apiOf(await server.anotherTenant()).customer('individual');
  for (const id of ['cus_x', other.id])
    expect((await play('completed', id)).body.error).toMatchObject({ code: 'not_found' });
});
