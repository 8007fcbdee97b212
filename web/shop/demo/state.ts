import type { Chaos } from '@tenant-payments/contract/portal/chaos.ts';
import type { Orders } from '../server/orders.ts';

/** What the inspector shows beside the orders. Times are ISO 8601. */

/** What became of a request to the webhook address. */
export type Outcome = 'handled' | 'duplicate' | 'outdated' | 'refused' | 'failed' | 'down';

export interface Delivery {
  readonly number: number;
  readonly at: string;
  /** Null where it was not believed, or nobody looked. */
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

/** The code that ran, as it stands in the shop's source. */
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
  /** As one writes it with the SDK; null for what the SDK does by itself. */
  readonly sdk: string | null;
}

/** A record whose next step is somebody else's: a bank's, an aggregator's, a reviewer's. */
export interface Waiting {
  readonly object: string;
  readonly id: string;
  readonly status: string;
  readonly amount: number | null;
}

export interface Demo {
  readonly merchant: string;
  /** Where hosted pages are, for the browser SDK. */
  readonly base_url: string;
  /** Where the tenant's webhooks go; anything but our own means that we hear nothing. */
  endpoint: { readonly url: string | null; readonly is_ours: boolean };
  /** The tenant's clock runs ahead of the world's by this much. */
  clock_offset_ms: number;
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
