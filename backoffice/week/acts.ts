import type { SimulateName } from '@tenant-payments/contract/resources/simulations.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ShopKey, Who } from './people.ts';

/**
 * One thing that happens in the week. Records are named here and by the acts that follow; a customer
 * goes by its own name, its parts by `<who>.account`, `<who>.link` and `<who>.session`.
 */
export type Act =
  | { readonly do: 'join'; readonly who: Who }
  | {
      readonly do: 'load';
      readonly name: string;
      readonly who: Who;
      readonly cents: number;
      readonly steps?: readonly Step[];
    }
  | {
      readonly do: 'pay';
      readonly name: string;
      readonly who: Who;
      readonly to: ShopKey;
      readonly cents: number;
      readonly what: string;
      readonly by?: 'balance' | 'bank_account';
      /** A dynamic request that it pays, in place of shop and amount. */
      readonly request?: string;
      readonly steps?: readonly Step[];
    }
  | {
      readonly do: 'withdraw';
      readonly name: string;
      readonly who: Who;
      readonly cents: number;
      readonly steps?: readonly Step[];
    }
  | {
      readonly do: 'refund';
      readonly name: string;
      readonly of: string;
      readonly cents: number;
      readonly why: 'requested_by_customer' | 'duplicate' | 'goods_not_received' | 'other';
      readonly steps?: readonly Step[];
    }
  | {
      readonly do: 'request';
      readonly name: string;
      readonly shop: ShopKey;
      /** Absent: the code of a counter. */
      readonly cents?: number;
    }
  | {
      readonly do: 'dispute';
      readonly name: string;
      readonly who: Who;
      readonly of?: string;
      readonly type: 'error' | 'unauthorized_transfer' | 'purchase_dispute';
      readonly words: string;
    }
  | { readonly do: 'play'; readonly step: Step; readonly on: string }
  | { readonly do: 'cancel'; readonly on: string; readonly is: 'payment' | 'payment_request' }
  | { readonly do: 'unlink'; readonly who: Who }
  | { readonly do: 'close'; readonly who: Who }
  | { readonly do: 'terms'; readonly who: Who; readonly accepts: boolean }
  | {
      readonly do: 'bank';
      readonly of: string;
      readonly answer: { readonly failed: string } | { readonly settled: number };
    }
  | {
      readonly do: 'review';
      readonly on: string;
      readonly move: string;
      readonly amount?: number;
      readonly finding?: string;
      readonly note: string;
    }
  | {
      readonly do: 'ask';
      readonly on: string;
      readonly move: string;
      readonly amount?: number;
      readonly note: string;
    }
  | { readonly do: 'take'; readonly on: string; readonly note: string }
  | { readonly do: 'endpoint'; readonly is: 'answering' | 'refusing' | 'off' };

/** An event of the sandbox on a record, with its failure. */
export type Step = SimulateName | readonly [SimulateName, string];

/** The acts at one time: chains run side by side, the acts of one chain in turn. */
export interface Moment {
  readonly at: Instant;
  readonly chains: readonly (readonly Act[])[];
}
