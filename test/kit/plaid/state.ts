import { randomUUID } from 'node:crypto';

/** The state of Plaid's counterpart: the same things as Plaid, by the same ids. */

export interface PlaidAccount {
  readonly account_id: string;
  readonly name: string;
  readonly subtype: 'checking' | 'savings' | 'cd';
  numbers: { account: string; routing: string; is_tokenized_account_number: boolean } | null;
  readonly persistent_account_id?: string;
  /** How the holder's name agrees; null: the bank does not say. */
  readonly score: number | null;
  readonly rtp: boolean;
  readonly rfp: boolean;
}

export interface PlaidItem {
  readonly item_id: string;
  readonly access_token: string;
  readonly accounts: readonly PlaidAccount[];
  error: string | null;
  isRemoved: boolean;
}

/** An attempt to verify somebody. */
export interface PlaidVerification {
  readonly id: string;
  readonly client_user_id: string;
  readonly template: string;
  readonly user: Readonly<Record<string, unknown>> | null;
  readonly previous: string | null;
  readonly created_at: string;
  status: string;
  steps: Record<string, string>;
  kyc: Record<string, string> | null;
  document: Record<string, string> | null;
}

export interface PlaidState {
  readonly clientId: string;
  secret: string;
  readonly items: Map<string, PlaidItem>;
  /** By token, the request that made it. */
  readonly linkTokens: Map<string, Readonly<Record<string, unknown>>>;
  /** By token of Link, the public tokens of its sessions. */
  readonly sessions: Map<string, string[]>;
  /** By public token; one that was exchanged is gone. */
  readonly publicTokens: Map<string, PlaidItem>;
  readonly verifications: Map<string, PlaidVerification>;
  readonly template: string;
  readonly calls: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
}

let numbered = 0;

/** An account with numbers of its own. */
export function accountAt(more: Partial<PlaidAccount> = {}): PlaidAccount {
  numbered += 1;
  return {
    account_id: randomUUID().replaceAll('-', ''),
    name: 'Plaid Checking',
    subtype: 'checking',
    numbers: {
      account: `77${String(numbered).padStart(8, '0')}`,
      routing: '011401533',
      is_tokenized_account_number: false,
    },
    score: 100,
    rtp: true,
    rfp: true,
    ...more,
  };
}

export const newState = (): PlaidState => ({
  clientId: '5f0e3b1c9a7d2e4f6a8b0c1d',
  secret: 'e1d2c3b4a5968778695a4b3c2d1e0f',
  items: new Map(),
  linkTokens: new Map(),
  sessions: new Map(),
  publicTokens: new Map(),
  verifications: new Map(),
  template: 'idvtmp_4FrXJvfQU3zGUR',
  calls: [],
});

/** An item of these accounts, with a public token that no session has made. */
export function newItem(state: PlaidState, accounts: readonly PlaidAccount[]) {
  const item: PlaidItem = {
    item_id: randomUUID().replaceAll('-', ''),
    access_token: `access-sandbox-${randomUUID()}`,
    accounts,
    error: null,
    isRemoved: false,
  };
  const publicToken = `public-sandbox-${randomUUID()}`;
  state.items.set(item.item_id, item);
  state.publicTokens.set(publicToken, item);
  return { publicToken, item };
}

/** A customer goes through Link, and shares these accounts. @returns the public token */
export function shareInLink(
  state: PlaidState,
  linkToken: string,
  accounts: readonly PlaidAccount[] = [accountAt()],
): { readonly publicToken: string; readonly item: PlaidItem } {
  if (!state.linkTokens.has(linkToken)) throw new Error('Link knows no such token');
  const { publicToken, item } = newItem(state, accounts);
  state.sessions.set(linkToken, [...(state.sessions.get(linkToken) ?? []), publicToken]);
  return { publicToken, item };
}
