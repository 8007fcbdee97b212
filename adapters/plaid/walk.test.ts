import { afterAll, afterEach, expect, test } from 'vitest';
import { PlaidRefusal } from '../../test/kit/plaid/refusal.ts';
import { openPlaid } from '../../test/kit/plaid/service.ts';
import type { PlaidItem } from '../../test/kit/plaid/state.ts';
import { openClient } from './client.ts';
import { openMemory } from './memory.ts';
import { walk } from './watch.ts';

/** Plaid is asked for one item after another, and none of them holds up the others. */

const plaid = await openPlaid({ onLog: () => {} });
const { counterpart, server } = plaid;
afterAll(() => counterpart.close());
afterEach(() => {
  Object.assign(counterpart.misbehaviour, { refuse: undefined, isDown: false });
  expect(counterpart.faults).toEqual([]);
});

const needsLogin = async ({ id }: { readonly id: string }) =>
  (await plaid.linkOf(id)).needs_login_at ?? null;
const cursor = async () =>
  (await server.service.control.query('select cursor from control.rail_polls')).rows;

async function poll() {
  await server.service.control.query(
    `update control.rail_polls set next_at = '2000-01-01' where provider = 'plaid'
     and tenant_id = '00000000-0000-0000-0000-000000000000'`,
  );
  return plaid.poll();
}
const refuseOf = (item: PlaidItem, path: string, refusal: PlaidRefusal) => {
  counterpart.misbehaviour.refuse = (asked, { access_token }) =>
    asked === path && access_token === item.access_token ? refusal : null;
};

test('the only item, for which Plaid has a fault of its own each time, does not end the turn', async () => {
  const { item } = await plaid.linked();
  refuseOf(item, '/item/get', new PlaidRefusal('INTERNAL_SERVER_ERROR', 'API_ERROR', 500));
  expect(await poll()).toBe('done');
});

test.each([
  'ITEM_LOCKED',
  'NO_ACCOUNTS',
  'ACCESS_NOT_GRANTED',
  'INSTITUTION_NO_LONGER_SUPPORTED',
  'PRODUCTS_NOT_SUPPORTED',
  'A_CODE_THAT_IS_NEW',
  'INTERNAL_SERVER_ERROR',
])('an item whose numbers are answered by %s holds up no other', async (code) => {
  const [locked, one, other] = [await plaid.linked(), await plaid.linked(), await plaid.linked()];
  refuseOf(locked.item, '/auth/get', new PlaidRefusal(code, 'ITEM_ERROR'));
  for (const { item } of [one, other]) item.error = 'ITEM_LOGIN_REQUIRED';
  for (let times = 0; times < 2; times += 1) expect(await poll()).toBe('done');
  for (const { link } of [one, other]) expect(await needsLogin(link)).not.toBeNull();
});

test('a fault that every call would have, or Plaid away, fails the turn, whose cursor stays', async () => {
  const before = await cursor();
  counterpart.misbehaviour.refuse = () => new PlaidRefusal('INVALID_API_KEYS');
  expect(await poll()).toBe('failed');
  counterpart.misbehaviour.refuse = () =>
    new PlaidRefusal('RATE_LIMIT', 'RATE_LIMIT_EXCEEDED', 429);
  expect(await poll()).toBe('failed');
  Object.assign(counterpart.misbehaviour, { refuse: undefined, isDown: true });
  expect(await poll()).toBe('failed');
  expect(await cursor()).toEqual(before);
});

test('a turn whose time is over ends at the last item that it was done with, and the next one goes on', async () => {
  for (let times = 0; times < 3; times += 1) await plaid.linked();
  const memory = openMemory();
  memory.open({ objects: server.providers.objectsOf('plaid'), report: async () => {} });
  const { clientId, secret } = counterpart.state;
  const client = openClient({ url: counterpart.url, clientId, secret });
  const keys = (await memory.list('item', null, 25)).map(({ key }) => key);
  const late = new AbortController();
  const second = counterpart.state.items.get(keys[1] ?? '');
  counterpart.misbehaviour.refuse = (_path, { access_token }) => {
    if (access_token === second?.access_token) late.abort();
    return null;
  };
  const call = { signal: new AbortController().signal };
  const turn = await walk({ client, memory }, null, call, late.signal);
  expect(turn.cursor).toBe(keys[0]);
  counterpart.misbehaviour.refuse = undefined;
  counterpart.state.calls.length = 0;
  await walk({ client, memory }, turn.cursor, call);
  const asked = counterpart.calls('/item/get').map(({ body }) => body.access_token);
  expect(asked[0]).toBe(second?.access_token);
});
