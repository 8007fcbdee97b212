import type { RailsCall } from './call.ts';
import type { AccountRef, Counterparty } from './party.ts';

/** A request for a token that opens the aggregator's widget for a customer. */
export interface LinkRequest {
  readonly tenantId: string;
  /** The public id (`cus_...`): the widget's public token will be bound to it. */
  readonly customerId: string;
  readonly platform: 'web' | 'ios' | 'android';
  readonly redirectUri: string | null;
  /** In which language the widget opens; absent: the Tenant has not said. */
  readonly locale?: 'en' | 'es';
  /** The application's name on Android, where the Tenant gives it. */
  readonly androidPackage?: string;
  /** In full, as it was proven: the widget may ask the bank for it. */
  readonly legalName?: string;
  /** In E.164: the widget may fill it in. */
  readonly mobileNumber?: string;
  /** The aggregator's id of an account whose customer only signs in at the bank again: the widget makes no new one. */
  readonly updateOf?: string;
}

export interface ExchangeRequest {
  readonly tenantId: string;
  readonly customerId: string;
  readonly publicToken: string;
}

/** The kinds of transfer that a bank takes. */
export interface Offers {
  /** Whether it can receive RTP credit transfers. */
  readonly withdrawal: boolean;
  /** Whether it can receive a Request for Payment. */
  readonly load: boolean;
}

/** A bank account as the aggregator shows it. Its numbers are asked for apart (`numbers`). */
export interface BankAccount extends Offers {
  /** The aggregator's name for it in the widget: `aggregator_account_id` of the request. */
  readonly accountId: string | null;
  readonly institutionName: string;
  readonly accountType: 'checking' | 'savings';
  readonly accountMask: string;
  /** The aggregator's own id of the account. */
  readonly reference: string;
  /** The names of its holders, for a decision that `verify` leaves to us (`holders`). */
  readonly holderNames?: readonly string[];
  /** The same for one account whenever and by whomever it is linked. */
  readonly persistentId?: string;
  /** The aggregator's own id of the bank. */
  readonly institutionId?: string;
}

/**
 * Why a public token gives no account (`link_token_mismatch`, rules/linking#7). One that was
 * exchanged before is unknown too.
 */
export type Mismatch = 'unknown_token' | 'other_customer';

export type Exchange =
  | { readonly accounts: readonly [BankAccount, ...BankAccount[]]; readonly mismatch: null }
  | { readonly accounts: null; readonly mismatch: Mismatch };

type NameKind = Counterparty['kind'];

/** A check that a bank account is the customer's and can be used. */
export interface LinkCheck {
  readonly tenantId: string;
  /** The same link is the same check, however often it is requested. */
  readonly linkId: string;
  /** The aggregator's own id of the account. */
  readonly reference: string;
  /** The customer's name in full. */
  readonly legalName: string;
  readonly kind: NameKind;
}

/**
 * The bank-data aggregator. `linkToken` and `exchange` are called after the checks of their request;
 * their answers are data for it.
 *
 * `exchange` uses a public token up. It answers with all accounts that the customer shared, so that
 * another choice needs no second exchange. The service keeps the answer and calls again only when
 * none came: after an exception, or after its process was killed (rules/linking#21).
 *
 * `verify` is called after the commit of the link; its result arrives later as a LinkFact. It may be
 * called again for the same link and must not begin a second check: the service repeats the call
 * until it has recorded it.
 */
export interface Aggregator {
  linkToken(request: LinkRequest, call?: RailsCall): Promise<string>;
  exchange(request: ExchangeRequest, call?: RailsCall): Promise<Exchange>;
  verify(check: LinkCheck, call?: RailsCall): Promise<void>;
  /**
   * The numbers of an account, for orders (rules/linking#18). Asked once for each link, and again after they changed.
   * Null: it has none. Absent: the bank knows accounts by their reference.
   */
  numbers?(reference: string, call?: RailsCall): Promise<AccountRef | null>;
  /** The kinds of transfer that the bank of an account offers now; null: nobody knows (rules/linking#35). */
  refresh?(reference: string, call?: RailsCall): Promise<Offers | null>;
  /**
   * Nothing will be ordered to this account any more: withdraw the consent, unless another account of it is still in use.
   * It may be called again for the same account (rules/linking#29).
   */
  remove?(reference: string, call?: RailsCall): Promise<void>;
}
