import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';

/** The sandbox's aggregator is a provider: what it says is kept, with what came of it (rules/sandbox#53). */

/** The service's real time, which passes only when a test moves it. */
let nowMs = Date.now();
const server = await openServer({ manual: true, realNow: () => nowMs, onLog: () => {} });
const { api, engine } = server;

async function linkAt(bank: string): Promise<string> {
  const { customerId } = await api.approved('individual');
  const public_token = `public-sandbox-${bank}-${randomUUID()}`;
  return (await api.post(`/v1/customers/${customerId}/linked-accounts`, { public_token })).id;
}
const keptOf = async (link: string) =>
  (
    await engine.query<{ provider: string; message_id: string; result: string }>(
      `select provider, message_id, result from rail_messages
       where tenant_id = $1 and record = $2 order by id`,
      uuid('linked_account', link),
    )
  ).map(({ provider, message_id, result }) => [provider, message_id.split(' ')[0], result]);

const said = (...outcomes: readonly string[]) =>
  outcomes.map((outcome) => ['sandbox-aggregator', outcome, 'taken']);

test.each([
  [['linked_account.verified'], ['verified']],
  [['linked_account.failed'], ['failed']],
  [['linked_account.held_for_review'], ['unclear']],
  [
    [
      'linked_account.verified',
      'linked_account.needs_login',
      'linked_account.login_restored',
      'linked_account.needs_login',
    ],
    ['verified', 'needs_login', 'login_restored', 'needs_login'],
  ],
])('what simulate says of a link by %j is kept', async (events, outcomes) => {
  const link = await linkAt('standard');
  for (const event of events) await api.simulate(event, link);
  expect(await keptOf(link)).toEqual(said(...outcomes));
});

test('a simulation that is refused says nothing', async () => {
  const link = await linkAt('standard');
  await expect(api.simulate('linked_account.needs_login', link)).rejects.toThrow('invalid_state');
  expect(await keptOf(link)).toEqual([]);
});

test('what automatic mode answers is kept, and what simulate has answered is not answered again', async () => {
  await engine.change({ sandbox_mode: 'automatic' });
  const [verified, similar, again, answered] = [
    await linkAt('standard'),
    await linkAt('similar_name'),
    await linkAt('needs_login'),
    await linkAt('standard'),
  ];
  await server.runJobs();
  await api.simulate('linked_account.failed', answered);
  nowMs += 6_000;
  await server.runJobs();
  await engine.change({ sandbox_mode: 'manual' });
  expect(await keptOf(verified)).toEqual(said('verified'));
  expect(await keptOf(similar)).toEqual(said('holders'));
  expect(await keptOf(again)).toEqual(said('verified', 'needs_login'));
  expect(await keptOf(answered)).toEqual(said('failed'));
});
