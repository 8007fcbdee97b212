/** A request for a token that opens the aggregator's widget in a customer's hands. */
export interface LinkRequest {
  readonly tenantId: string;
  /** As the wire writes it: the widget's public token will be bound to it. */
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

/** A bank account as the aggregator tells of it. Account and routing numbers stay with it. */
export interface BankAccount {
  readonly institutionName: string;
  readonly accountType: 'checking' | 'savings';
  readonly accountMask: string;
  /** The bank can receive RTP credit transfers. */
  readonly withdrawal: boolean;
  /** The bank can receive a Request for Payment. */
  readonly load: boolean;
  /** The aggregator's own name for the account. */
  readonly reference: string;
}

/** Why a public token gives no account (`link_token_mismatch`, decisions 1.10). */
export type Mismatch = 'unknown_token' | 'other_customer' | 'account_required' | 'account_unknown';

export type Exchange =
  | { readonly account: BankAccount; readonly mismatch: null }
  | { readonly account: null; readonly mismatch: Mismatch };

/** The question whether a bank account is the customer's, and can do what it must. */
export interface LinkCheck {
  readonly tenantId: string;
  /** The same link is the same question, however often it is asked. */
  readonly linkId: string;
  /** The aggregator's own name for the account. */
  readonly reference: string;
}

/**
 * The bank-data aggregator. `linkToken` and `exchange` change nothing of ours, so they are asked
 * before a command's batch; their answers are data for it.
 *
 * `verify` is asked after the commit of the link, and what comes of it arrives later as a link fact
 * (`inbound.ts`). It may be called again for a link that it was asked about, and must not begin a
 * second check: the service asks until it has recorded that it did.
 */
export interface Aggregator {
  linkToken(request: LinkRequest): Promise<string>;
  exchange(request: ExchangeRequest): Promise<Exchange>;
  verify(check: LinkCheck): Promise<void>;
}
