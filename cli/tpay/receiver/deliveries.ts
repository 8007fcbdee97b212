import { webhooks } from '@tenant-payments/sdk-server';
import type { Values } from './events.ts';

/** One request to a receiver. */
export interface Delivery {
  /** A description in a few words: `a signature 6 minutes old`. */
  readonly as: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a delivery differs from one of the service. */
export interface Twist {
  /** How old the signature is; below 0: it is of the future. */
  readonly ageSeconds?: number;
  /** With what it is signed, an item for each. */
  readonly secrets?: readonly string[];
  /** The body sent in the place of the signed one. */
  readonly sends?: string;
  /** Another value of the header of the signature; null: no header. */
  readonly header?: ((right: string) => string) | null;
  /** How that header is called. */
  readonly named?: string;
  readonly contentType?: string;
}

export type Sign = (as: string, event: Values | string, twist?: Twist) => Delivery;

/** Signs as the service does (rules/webhooks#9), unless told otherwise. */
export const signer =
  (secrets: readonly string[]): Sign =>
  (as, event, twist = {}) => {
    const body = typeof event === 'string' ? event : JSON.stringify(event);
    const at = new Date(Date.now() - (twist.ageSeconds ?? 0) * 1_000);
    const right = webhooks.sign(body, twist.secrets ?? secrets, at);
    const { header = (value: string) => value, named = 'service-signature' } = twist;
    return {
      as,
      body: twist.sends ?? body,
      headers: {
        'content-type': twist.contentType ?? 'application/json',
        'user-agent': 'tenant-payments-webhooks/1 (tpay receiver check)',
        ...(header === null ? {} : { [named]: header(right) }),
      },
    };
  };
