import type { Base } from './bases.ts';
import type { Cast } from './cast.ts';

/** The requests that refusals are provoked with. */

export const nobody = `cus_${'0'.repeat(32)}`;
export const noPayment = `pay_${'0'.repeat(32)}`;
export const noLoad = `load_${'0'.repeat(32)}`;
/** Above what an individual may load or pay at once. */
export const tooMuch = 5_000_01;

/** A load or a withdrawal. */
export const moneyOf = (customer_id: string, amount = 1_00): Base => ({
  body: { customer_id, amount },
});
export const linking = (id: string, public_token = 'public-sandbox-standard'): Base => ({
  params: { id },
  body: { public_token },
});
export const linkToken = (id: string, more: object = {}): Base => ({
  params: { id },
  body: { platform: 'ios', ...more },
});
export const closing = (id: string): Base => ({
  params: { id },
  body: { reason: 'customer_request' },
});
export const confirming = (customer_id: string, paymentId: string, more: object = {}): Base => ({
  body: {
    flow: 'payment_confirm',
    customer_id,
    target: { type: 'payment', id: paymentId },
    ...more,
  },
});
export const flow = (name: string, customer_id: string, more: object = {}): Base => ({
  body: { flow: name, customer_id, ...more },
});
export const asking = (merchant_customer_id: string, more: object = {}): Base => ({
  body: { type: 'dynamic', merchant_customer_id, amount: 1_00, ...more },
});
export const refunding = (payment_id: string, amount = 1): Base => ({
  body: { payment_id, amount, reason: 'other' },
});
export const simulating = (event: string, object_id: string, failure_code?: string): Base => ({
  params: { event },
  body: { object_id, ...(failure_code ? { failure_code } : {}) },
});
export const applying = ({ w }: Cast, more: object = {}): Base => ({
  body: { ...w.application('individual'), ...more },
});
export const disputing = (more: object = {}): Base => ({
  body: {
    customer_id: nobody,
    type: 'error',
    description: 'Not mine',
    notice_received_at: '2026-01-01T00:00:00Z',
    ...more,
  },
});
/** A payment of the payer's to nobody yet. */
export const paying = ({ w }: Cast, more: object): Base => ({
  body: { payer_customer_id: w.payer.customerId, source: 'balance', ...more },
});
/** A payment to the shop. */
export const toShop = (c: Cast, more: object = {}): Base =>
  paying(c, { payee_customer_id: c.w.shop.customerId, amount: 1_00, ...more });
export const byCode = (c: Cast, of: keyof Cast['requests'], more: object = {}): Base =>
  paying(c, { qr_payload: c.requests[of].qr_payload, ...more });
