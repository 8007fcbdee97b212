import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import { Malformed, type Receipt } from '@tenant-payments/service/rails/providers/provider.ts';
import type { Client } from './client.ts';
import { hashOf, type Item, type Memory } from './memory.ts';
import { lookAt } from './watch.ts';

/** A message of Plaid. Only the fields are read that say which item it is about, and what asking cannot find. */
export interface Message {
  readonly webhook_type: string;
  readonly webhook_code: string;
  readonly environment?: unknown;
  readonly item_id?: unknown;
  readonly identity_verification_id?: unknown;
  readonly account_id?: unknown;
  readonly link_token?: unknown;
  readonly disconnect_time?: unknown;
  readonly status?: unknown;
}

interface Parts {
  readonly client: Client;
  readonly memory: Memory;
  readonly environment: 'sandbox' | 'production';
}

/** @throws Malformed */
export function readMessage(rawBody: Uint8Array): Message {
  let read: unknown;
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    throw new Malformed('the message is no JSON');
  }
  const { webhook_type, webhook_code } = (read ?? {}) as Partial<Message>;
  if (typeof webhook_type !== 'string' || typeof webhook_code !== 'string')
    throw new Malformed('the message has no webhook_type and webhook_code');
  return read as Message;
}

/** The facts that a message adds to an item; null: nothing that asking would not find. */
function addedBy({ webhook_code, disconnect_time, status }: Message): Partial<Item> | null {
  if (webhook_code === 'USER_PERMISSION_REVOKED') return { isRevoked: true };
  if (webhook_code === 'PENDING_DISCONNECT') {
    const endsAtMs = Date.parse(String(disconnect_time));
    return { endsAtMs: Number.isNaN(endsAtMs) ? Date.now() : endsAtMs };
  }
  // The customer has signed in again, unless they left.
  const isFinished = webhook_code === 'SESSION_FINISHED' && status === 'SUCCESS';
  return isFinished || webhook_code === 'LOGIN_REPAIRED' ? { endsAtMs: null } : null;
}

/** The item of a message; that of a session of Link in update mode is the one it was for. */
async function itemIdOf(memory: Memory, message: Message): Promise<string | null> {
  if (message.webhook_type !== 'LINK')
    return typeof message.item_id === 'string' ? message.item_id : null;
  if (typeof message.link_token !== 'string') return null;
  return (await memory.get('update', hashOf(message.link_token)))?.value.itemId ?? null;
}

const types: readonly string[] = ['ITEM', 'AUTH', 'LINK'];

/**
 * Takes a verified message. What Plaid tells of anything else, or of items of other deployments, is left out.
 * @throws PlaidFault where Plaid does not say how the item stands: the message comes again
 */
export async function takeMessage(
  { client, memory, environment }: Parts,
  message: Message,
  call: RailsCall,
): Promise<readonly Receipt[]> {
  if (!types.includes(message.webhook_type) || message.environment !== environment) return [];
  const itemId = await itemIdOf(memory, message);
  if (itemId === null) return [];
  const added = addedBy(message);
  const item = await memory.change('item', itemId, (now) => {
    if (!now || now.value.accessToken === null || !added) return null;
    return { ...now, value: { ...now.value, ...added } };
  });
  if (!item) return [];
  const isOfAccount = message.webhook_code === 'USER_ACCOUNT_REVOKED';
  const revoked = isOfAccount && typeof message.account_id === 'string' ? [message.account_id] : [];
  return lookAt({ client, memory }, item, call, revoked);
}
