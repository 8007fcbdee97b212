import type { Client, Event } from '@tenant-payments/sdk-server';

/** The records that the shop works with, by the types of the SDK's methods. */

type ReplyOf<M extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<M>>;
type ItemOf<M extends (...args: never[]) => Promise<{ readonly data: readonly unknown[] }>> =
  ReplyOf<M>['data'][number];

export type Customer = ReplyOf<Client['customers']['get']>;
export type Account = ItemOf<Client['accounts']['list']>;
export type Balance = ReplyOf<Client['accounts']['balance']>;
export type Transaction = ItemOf<Client['accounts']['transactions']>;
export type LinkedAccount = ItemOf<Client['linkedAccounts']['list']>;
export type DocumentAcceptance = ItemOf<Client['customers']['listDocuments']>;
export type Payment = ReplyOf<Client['payments']['get']>;
export type PaymentRequest = ReplyOf<Client['paymentRequests']['get']>;
export type Refund = ReplyOf<Client['refunds']['get']>;
export type ReconciliationReport = ReplyOf<Client['reports']['reconciliation']>;

type NewSession = Parameters<Client['sessions']['create']>[0];
export type Flow = NewSession['flow'];
/** The record that a session confirms. */
export type Target = Exclude<NewSession['target'], undefined>;
/** What an exchanged result token says of its session. */
export type SessionOutcome = ReplyOf<Client['sessions']['exchange']>;

export type EventType = Event['type'];
