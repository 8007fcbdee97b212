import { beforeEach, expect, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../test/kit/http/receiver.ts';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { openDispatcher } from './dispatch/dispatcher.ts';
import { resendWebhookEvent } from './resend.ts';

let receivers: readonly [TestReceiver, TestReceiver];
let tenants: readonly [TestTenant, TestTenant];
const server = await openServer({ workers: false });
beforeEach(async () => {
  receivers = [await startTestReceiver(), await startTestReceiver()];
  tenants = [await server.anotherTenant(), await server.anotherTenant()];
  for (const [index, { token }] of tenants.entries()) {
    const body = { url: receivers[index]?.url, enabled: true };
    const { status } = await server.call('PUT', '/portal/api/webhook-endpoint', { token, body });
    expect(status).toBe(200);
  }
  return () => Promise.all(receivers.map((receiver) => receiver.close()));
});

/** Creates a customer, which makes one event. @returns the event’s id */
async function makeEvent({ token }: TestTenant): Promise<string> {
  const body = {
    type: 'individual',
    external_ref: 'ref-1',
    email: 'ana@example.com',
    mobile_number: '+12025550101',
  };
  await server.call('POST', '/v1/customers', { token, key: 'key-1', body });
  const { data } = (await server.call('GET', '/v1/webhook-events', { token })).body;
  return data[0].id;
}

async function deliver({ tenantId }: TestTenant): Promise<void> {
  const dispatcher = openDispatcher(server.service);
  await dispatcher.deliverDue(tenantId);
  await dispatcher.drain();
}

test('an event goes to the endpoint of its own Tenant and to no other', async () => {
  const ids = [await makeEvent(tenants[0]), await makeEvent(tenants[1])];
  for (const tenant of tenants) await deliver(tenant);
  const came = receivers.map(({ received }) => received.map(({ event }) => event.id));
  expect(came).toEqual(ids.map((id) => [id]));
});

test("in one batch with its owner's, a resend of another Tenant's event finds nothing", async () => {
  const [owner, stranger] = tenants;
  const id = await makeEvent(owner);
  const resend = ({ tenantId }: TestTenant) =>
    server.service.engine.submit(resendWebhookEvent, { tenantId, input: { id } });
  for (const turn of [
    [owner, stranger],
    [stranger, owner],
  ]) {
    const outcomes = await Promise.allSettled(turn.map(resend));
    expect(outcomes.map(({ status }) => status)).toEqual(
      turn.map((tenant) => (tenant === owner ? 'fulfilled' : 'rejected')),
    );
  }
  const { body } = await server.call('GET', '/v1/webhook-events', { token: stranger.token });
  expect(body.data).toEqual([]);
});
