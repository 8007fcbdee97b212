import type { Orders } from '../server/orders.ts';
import type { Chaos } from './portal.ts';

/** The state that the inspector shows beside the orders. Times are ISO 8601. */

/** How a request to the webhook address was answered. */
export type Outcome = 'handled' | 'duplicate' | 'outdated' | 'refused' | 'failed' | 'down';

export interface Delivery {
  readonly number: number;
  readonly at: string;
  /** Null where the signature was wrong, or the handler was down. */
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly record: string;
    readonly version: number | null;
  } | null;
  readonly outcome: Outcome;
  readonly status: number;
  /** `t=…,v1=…`, shortened. */
  readonly signature: string;
  /** Why it was refused. */
  readonly reason: string | null;
  readonly handler: Handler | null;
}

/** The code that ran, from the shop's source. */
export interface Handler {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** One HTTP request of the shop's server. */
export interface Call {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  /** Null: no reply came. */
  readonly status: number | null;
  readonly request_id: string | null;
  readonly duration_ms: number;
  readonly curl: string;
  /** The call of the SDK; null for the SDK's own request of an access token. */
  readonly sdk: string | null;
}

/** A record in its present state: some wait for a bank, an aggregator or a reviewer. */
export interface Waiting {
  readonly object: string;
  readonly id: string;
  readonly status: string;
  readonly amount: number | null;
}

export interface Demo {
  readonly merchant: string;
  /** The address of the hosted pages, for the browser SDK. */
  readonly base_url: string;
  /** The Tenant's registered endpoint; if it is not the shop's, the shop receives no events. */
  endpoint: { readonly url: string | null; readonly is_ours: boolean };
  /** By this much the Tenant's clock is ahead of real time. */
  clock_offset_ms: number;
  /** The amounts that a person may move, in cents, by the service's names; null: not read yet, or no limit. */
  limits: Readonly<Record<string, number | null>> | null;
  /** Null outside a sandbox. */
  chaos: Chaos | null;
  is_down: boolean;
  readonly deliveries: Delivery[];
  readonly calls: Call[];
  readonly waiting: Waiting[];
}

export interface ShopState extends Demo {
  readonly orders: Orders['list'];
  readonly counter: Orders['counter'];
}
