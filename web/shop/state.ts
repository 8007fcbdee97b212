import type { Chaos } from '@tenant-payments/contract/portal/chaos.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import type { Refund } from '@tenant-payments/contract/resources/refunds.ts';

/** What the shop's server knows and its page shows. Amounts are cents, times are ISO 8601. */

export interface Line {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly quantity: number;
}

/** What the café sells. */
export const catalogue = [
  { id: 'flat-white', name: 'Flat white', amount: 4_20 },
  { id: 'espresso', name: 'Espresso', amount: 2_80 },
  { id: 'filter', name: 'Filter coffee', amount: 3_50 },
  { id: 'chai', name: 'Chai latte', amount: 4_60 },
  { id: 'croissant', name: 'Croissant', amount: 3_40 },
  { id: 'cinnamon-roll', name: 'Cinnamon roll', amount: 3_90 },
  { id: 'toast', name: 'Avocado toast', amount: 8_50 },
  { id: 'beans', name: 'Beans, 250 g', amount: 14_00 },
] as const;

/** A QR code of `size` by `size` modules, and the dark ones as an SVG path to stroke. */
export interface Code {
  readonly payload: string;
  readonly size: number;
  readonly path: string;
}

/** A payment request, as far as the till shows it. */
export interface Asked {
  readonly id: string;
  readonly status: 'open' | 'paid' | 'expired' | 'canceled';
  /** On the tenant's clock; null at the counter. */
  readonly expires_at: string | null;
  readonly code: Code;
}

export type OrderStatus =
  | 'waiting'
  | 'confirming'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'expired'
  | 'canceled';

/** Changed by verified webhooks alone, once the till has asked for the money. */
export interface Order {
  readonly number: number;
  readonly lines: readonly Line[];
  readonly amount: number;
  request: Asked;
  status: OrderStatus;
  payment: Payment | null;
  refunds: readonly Refund[];
  /** How often the coffee was handed out: once, whatever comes twice. */
  handed_out: number;
}

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

export interface ShopState {
  readonly merchant: string;
  /** Where hosted pages are, for the browser SDK. */
  readonly base_url: string;
  /** Where the tenant's webhooks go; anything but our own means that we hear nothing. */
  endpoint: { readonly url: string | null; readonly is_ours: boolean };
  /** The tenant's clock runs ahead of the world's by this much. */
  clock_offset_ms: number;
  chaos: Chaos | null;
  is_down: boolean;
  /** The code without an amount, once it has been printed. */
  counter: Asked | null;
  readonly orders: Order[];
  readonly deliveries: Delivery[];
  readonly calls: Call[];
  readonly waiting: Waiting[];
}
