import { afterAll, afterEach, expect, test } from 'vitest';
import { PlaidRefusal } from '../../test/kit/plaid/refusal.ts';
import { openPlaid } from '../../test/kit/plaid/service.ts';
import type { Item } from './memory.ts';

/** Calls, messages and polls that write about one item at the same time: none loses what another has said. */

const plaid = await openPlaid({ onLog: () => {} });
const { counterpart, server, aggregator } = plaid;
afterAll(() => counterpart.close());
afterEach(() => {
  counterpart.misbehaviour.refuse = undefined;
  expect(counterpart.faults).toEqual([]);
});

/** Does something once, while Plaid answers a call of this path. */
function meanwhile(path: string, work: () => Promise<unknown>): void {
  counterpart.misbehaviour.refuse = async (asked) => {
    if (asked !== path) return null;
    counterpart.misbehaviour.refuse = undefined;
    await work();
    return null;
  };
}

async function shared() {
  const customer = await plaid.opened();
  const { publicToken, item } = plaid.share(customer);
  const { tenantId } = server.tenant;
  const request = { tenantId, customerId: customer.customerId, publicToken };
  const kept = async () =>
    (await server.providers.objectsOf('plaid').get('item', item.item_id))?.value as Item;
  return { item, request, kept };
}

test('an item whose accounts become known while it is looked at keeps them', async () => {
  const { item, request, kept } = await shared();
  counterpart.misbehaviour.refuse = (path) =>
    path === '/auth/get' ? new PlaidRefusal('INTERNAL_SERVER_ERROR', 'API_ERROR', 500) : null;
  await expect(aggregator.exchange(request)).rejects.toThrow();
  expect((await kept()).accountIds).toEqual([]);
  meanwhile('/item/get', () => aggregator.exchange(request));
  expect(await plaid.poll()).toBe('done');
  expect((await kept()).accountIds).toEqual(item.accounts.map(({ account_id }) => account_id));
});

test('a consent that is withdrawn while its accounts are asked for stays withdrawn', async () => {
  const { item, request, kept } = await shared();
  const { item_id } = item;
  const message = { webhook_type: 'ITEM', webhook_code: 'USER_PERMISSION_REVOKED', item_id };
  meanwhile('/auth/get', async () => expect(await plaid.tell(message)).toBe(200));
  await aggregator.exchange(request);
  expect(await kept()).toMatchObject({ isRevoked: true, accountIds: [expect.any(String)] });
});

test('of two tokens of Link that are asked for at once both are known', async () => {
  const { customerId } = await server.api.approved('individual');
  const { tenantId } = server.tenant;
  const asked = { tenantId, customerId, platform: 'web', redirectUri: plaid.redirect } as const;
  const tokens = await Promise.all([1, 2, 3].map(() => aggregator.linkToken(asked)));
  const kept = await server.providers.objectsOf('plaid').get('link_tokens', customerId);
  const all = tokens.map((token) => expect.objectContaining({ token }));
  expect(kept?.value).toEqual({ tokens: expect.arrayContaining(all) });
});
