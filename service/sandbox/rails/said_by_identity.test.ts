import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';
import { replayRailMessage } from '../../inbound/providers/replay.ts';

/** The sandbox's identity provider is a provider: what it decides is kept, with what came of it (rules/sandbox#54). */

/** The service's real time, which passes only when a test moves it. */
let nowMs = Date.now();
const server = await openServer({ manual: true, realNow: () => nowMs, onLog: () => {} });
const { api, engine, tenant } = server;

async function applied(lastName?: string): Promise<string> {
  const { id, onboarding_session } = await api.customer('individual', {
    ...(lastName !== undefined && { prefill: { first_name: 'Ana', last_name: lastName } }),
  });
  await api.simulate('session.completed', onboarding_session.id);
  return id;
}

interface Kept {
  readonly id: string;
  readonly provider: string;
  readonly message_id: string;
  readonly state: string;
  readonly result: string;
}
const rowsOf = (kind: 'customer' | 'owner', id: string) =>
  engine.query<Kept>(
    `select id, provider, message_id, state, result from rail_messages
     where tenant_id = $1 and record = $2 order by received_at, id`,
    uuid(kind, id),
  );
const keptOf = async (kind: 'customer' | 'owner', id: string) =>
  (await rowsOf(kind, id)).map(({ provider, message_id, result }) => [
    provider,
    message_id.split(' ')[0],
    result,
  ]);
const said = (...decisions: readonly string[]) =>
  decisions.map((decision) => ['sandbox-identity', decision, 'taken']);

const counted = async (state: string) => {
  const { values } = await server.service.meters.railMessages.get();
  return (
    values.find(({ labels }) => labels.provider === 'sandbox-identity' && labels.state === state)
      ?.value ?? 0
  );
};

test.each([
  ['customer.approved', 'approved'],
  ['customer.rejected', 'rejected'],
  ['customer.in_review', 'unclear'],
])('what simulate decides by %s is kept and counted, once', async (event, decision) => {
  const id = await applied();
  const before = await counted('taken');
  await api.simulate(event, id);
  expect(await keptOf('customer', id)).toEqual(said(decision));
  expect(await counted('taken')).toBe(before + 1);
});

test('what simulate says of a case, or of a customer who was asked for more, is the reviewer and no message', async () => {
  const [held, asked] = [await applied(), await applied()];
  for (const id of [held, asked]) await api.simulate('customer.in_review', id);
  await api.simulate('customer.approved', held);
  await api.simulate('customer.pending', asked);
  await api.simulate('customer.rejected', asked);
  for (const id of [held, asked]) expect(await keptOf('customer', id)).toEqual(said('unclear'));
});

test('a simulation that is refused says nothing and counts nothing', async () => {
  const { id } = await api.customer('individual');
  const before = await counted('taken');
  await expect(api.simulate('customer.approved', id)).rejects.toThrow('invalid_state');
  expect(await keptOf('customer', id)).toEqual([]);
  expect(await counted('taken')).toBe(before);
});

test('what automatic mode decides is kept, also of owners, and what simulate has decided is not decided again', async () => {
  await engine.change({ sandbox_mode: 'automatic' });
  const [reviewed, answered] = [await applied('Review'), await applied()];
  const { id: business, onboarding_session } = await api.customer('business');
  await api.simulate('session.completed', onboarding_session.id);
  await server.runJobs();
  await api.simulate('customer.rejected', answered);
  for (let passed = 0; passed < 2; passed += 1) {
    nowMs += 6_000;
    await server.runJobs();
  }
  await engine.change({ sandbox_mode: 'manual' });
  expect(await keptOf('customer', reviewed)).toEqual(said('unclear'));
  expect(await keptOf('customer', answered)).toEqual(said('rejected'));
  const [owner] = (await api.get(`/v1/customers/${business}/owners`)).data;
  expect(await keptOf('owner', owner.id)).toEqual(said('approved'));
  const results = (await keptOf('customer', business)).map(([, ...rest]) => rest);
  expect(results.at(-1)).toEqual(['approved', 'taken']);
  expect((await api.get(`/v1/customers/${business}`)).verification.status).toBe('approved');
});

test('a decision that contradicts is parked and moves nothing, and is taken when it is replayed later', async () => {
  const id = await applied();
  await api.simulate('customer.rejected', id);
  const [record, factId] = [uuid('customer', id), randomUUID()];
  const { tenantId } = tenant;
  const fact = {
    id: factId,
    subject: 'customer',
    subjectId: record,
    decision: 'approved',
  } as const;
  const receipt = { id: factId, tenantId, port: 'identity', fact } as const;
  const { taking } = server.providers;
  const from = { headers: {}, body: null };
  const before = { parked: await counted('parked'), repeated: await counted('repeated') };
  for (let times = 0; times < 2; times += 1)
    await taking.take({ name: 'sandbox-identity' }, [receipt], from);
  const parked = (await rowsOf('customer', id)).filter(({ state }) => state === 'parked');
  expect(parked).toMatchObject([{ message_id: factId, result: 'contradiction' }]);
  expect((await api.get(`/v1/customers/${id}`)).verification.status).toBe('rejected');
  expect(await counted('parked')).toBe(before.parked + 1);
  expect(await counted('repeated')).toBe(before.repeated + 1);
  await api.post('/portal/api/clock/advance', { seconds: 24 * 3600 + 1 });
  const session = await api.post('/v1/sessions', { customer_id: id, flow: 'onboarding' });
  await api.simulate('session.completed', session.id);
  const input = { id: String(parked[0]?.id), tenantId };
  await engine.run(replayRailMessage(server.service), input);
  expect((await rowsOf('customer', id)).filter(({ state }) => state === 'parked')).toEqual([]);
  expect((await api.get(`/v1/customers/${id}`)).verification.status).toBe('approved');
});
