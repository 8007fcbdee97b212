import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import { removeItem } from './aggregator.ts';
import type { Client } from './client.ts';
import { type Kept, type Memory, referenceOf } from './memory.ts';

/** Longer than an answer waits to be used (rules/linking#20), and than Plaid is ever away. */
const idleMs = 60 * 24 * 3_600_000;

interface Parts {
  readonly client: Client;
  readonly memory: Memory;
}

/**
 * Removes an item that was shared and of which no account was linked for 60 days: a consent that nobody needs, and that is
 * paid for. @throws PlaidFault
 */
export async function letGoOfIdle(
  { client, memory }: Parts,
  item: Kept<'item'>,
  call: RailsCall,
): Promise<void> {
  const { key, value } = item;
  const { accessToken, accountIds, idleSinceMs } = value;
  if (accessToken === null) return;
  const accounts = await Promise.all(
    accountIds.map((id) => memory.get('account', referenceOf(key, id))),
  );
  if (accounts.some((account) => account?.record)) return;
  if (idleSinceMs === undefined) {
    await memory.put('item', { ...item, value: { ...value, idleSinceMs: Date.now() } });
  } else if (Date.now() - idleSinceMs > idleMs) {
    await removeItem(client, accessToken, call);
    await memory.put('item', { ...item, value: { ...value, accessToken: null } });
  }
}
