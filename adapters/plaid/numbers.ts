import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { AccountRef } from '@tenant-payments/service/rails/party.ts';
import type { AccountBase, AuthGetResponse } from 'plaid';
import type { Client } from './client.ts';
import { hashOf } from './memory.ts';

/** An account of a person or business to which money can be sent. */
export interface Payable {
  readonly account: AccountBase;
  readonly ref: AccountRef;
}

/** By the subtypes of depository accounts; others get no money from here. */
const types: Readonly<Record<string, AccountRef['type']>> = {
  checking: 'checking',
  'cash management': 'checking',
  savings: 'savings',
  'money market': 'savings',
};

/** The accounts of an item that have a routing and an account number. */
function payableOf({ accounts, numbers }: AuthGetResponse): readonly Payable[] {
  return accounts.flatMap((account) => {
    const type = types[account.subtype ?? ''];
    const found = numbers.ach.find(({ account_id }) => account_id === account.account_id);
    if (!type || !found) return [];
    const { routing, account: number, is_tokenized_account_number: tokenized = false } = found;
    return [{ account, ref: { routing, account: number, type, tokenized } }];
  });
}

/** @throws PlaidFault */
export async function askNumbers(
  { ask }: Client,
  accessToken: string,
  call?: RailsCall,
): Promise<{ readonly payable: readonly Payable[]; readonly item: AuthGetResponse['item'] }> {
  const reply = await ask(
    (api, options) => api.authGet({ access_token: accessToken }, options),
    call,
  );
  return { payable: payableOf(reply), item: reply.item };
}

/** To see that numbers have changed; it is sealed, since numbers can be guessed by it. */
export const numbersHash = ({ routing, account }: AccountRef): string =>
  hashOf(`${routing} ${account}`);
