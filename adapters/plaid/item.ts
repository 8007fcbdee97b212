import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import { type Client, isFault } from './client.ts';
import { type Memory, set } from './memory.ts';

/** An item that Plaid does not have any more. */
export const itemNotFound = 'ITEM_NOT_FOUND';

interface Parts {
  readonly client: Client;
  readonly memory: Memory;
}

/**
 * Withdraws the consent of an item, which is paid for as long as it is there, and asks about it no more. One that Plaid
 * does not have any more is gone already. @throws PlaidFault
 */
export async function removeItem(
  { client, memory }: Parts,
  itemId: string,
  accessToken: string,
  call?: RailsCall,
): Promise<void> {
  const asked = { access_token: accessToken };
  await client
    .ask((api, options) => api.itemRemove(asked, options), call)
    .catch((error: unknown) => {
      if (!isFault(error, itemNotFound)) throw error;
    });
  await set(memory, 'item', itemId, { accessToken: null });
}
