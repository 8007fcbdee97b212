/** A request for a token that opens the aggregator's widget for a customer. */
export interface LinkRequest {
  readonly tenantId: string;
  /** The public id (`cus_...`): the widget's public token will be bound to it. */
  readonly customerId: string;
  readonly platform: 'web' | 'ios' | 'android';
  readonly redirectUri: string | null;
}

export interface ExchangeRequest {
  readonly tenantId: string;
  readonly customerId: string;
  readonly publicToken: string;
  /** The account selected when the customer had several. */
  readonly accountId: string | null;
}

/** A bank account as the aggregator shows it. Account and routing numbers stay with it. */
export interface BankAccount {
  readonly institutionName: string;
  readonly accountType: 'checking' | 'savings';
  readonly accountMask: string;
  /** The bank can receive RTP credit transfers. */
  readonly withdrawal: boolean;
  /** The bank can receive a Request for Payment. */
  readonly load: boolean;
  /** The aggregator's own id of the account. */
  readonly reference: string;
}

/** Why a public token gives no account (`link_token_mismatch`, rules/linking#7). */
export type Mismatch = 'unknown_token' | 'other_customer' | 'account_required' | 'account_unknown';

export type Exchange =
  | { readonly account: BankAccount; readonly mismatch: null }
  | { readonly account: null; readonly mismatch: Mismatch };

/** A check that a bank account is the customer's and can be used. */
export interface LinkCheck {
  readonly tenantId: string;
  /** The same link is the same check, however often it is requested. */
  readonly linkId: string;
  /** The aggregator's own id of the account. */
  readonly reference: string;
}

/**
 * The bank-data aggregator. `linkToken` and `exchange` change nothing in the service, so they are
 * called before a command's batch; their answers are data for it.
 *
 * `verify` is called after the commit of the link; its result arrives later as a LinkFact. It may be
 * called again for the same link and must not begin a second check: the service repeats the call
 * until it has recorded it.
 */
export interface Aggregator {
  linkToken(request: LinkRequest): Promise<string>;
  exchange(request: ExchangeRequest): Promise<Exchange>;
  verify(check: LinkCheck): Promise<void>;
}
