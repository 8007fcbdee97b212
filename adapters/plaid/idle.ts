import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { Client } from './client.ts';
import { removeItem } from './item.ts';
import { accountsOf, type Memory, set } from './memory.ts';

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
export async function letGoOfIdle(parts: Parts, itemId: string, call: RailsCall): Promise<void> {
  const { memory } = parts;
  const item = await memory.get('item', itemId);
  if (!item || item.value.accessToken === null) return;
  const { accessToken, idleSinceMs } = item.value;
  const accounts = await accountsOf(memory, item);
  if (accounts.some(({ record }) => record !== null)) return;
  if (idleSinceMs === undefined) await set(memory, 'item', itemId, { idleSinceMs: Date.now() });
  else if (Date.now() - idleSinceMs > idleMs) await removeItem(parts, itemId, accessToken, call);
}
