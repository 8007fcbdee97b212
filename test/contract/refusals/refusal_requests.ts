import type { EndpointId } from '@tenant-payments/contract/catalog.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { application } from '../../kit/person.ts';
import type { Base } from '../cases/bases.ts';
import type { Subjects } from '../moves/subjects.ts';

/** A refusal, or two that one request deserves, of which the first is told. */
type Row = readonly [
  codes: ErrorCode | `${ErrorCode} before ${ErrorCode}`,
  make: (s: Subjects) => Base,
  param?: string | null,
  reason?: string,
];
export type Rows = { readonly [E in EndpointId]?: readonly Row[] };

interface Customer {
  readonly customerId: string;
}
interface Made {
  readonly id: string;
}

const unknown = (prefix: string) => `${prefix}_${'0'.repeat(32)}`;
export const noCustomer: Customer = { customerId: unknown('cus') };
export const noPayment: Made = { id: unknown('pay') };
export const noLoad: Made = { id: unknown('load') };
/** Above what an individual may load or pay at once. */
export const tooMuch = 5_000_01;
export const aboveDaily = 10_000_01;
export const aboveMaximum = 100_000_00;
export const unregistered = 'https://unknown.example';

export const body = (given: object): Base => ({ body: { ...given } });
export const of = (id: string, given?: object): Base => ({
  params: { id },
  ...(given && body(given)),
});
export const apply = (more: object = {}) => body({ ...application('individual'), ...more });
export const close = ({ customerId }: Customer) => of(customerId, { reason: 'customer_request' });
export const link = ({ customerId }: Customer, public_token = 'public-sandbox-standard') =>
  of(customerId, { public_token });
export const linkToken = ({ customerId }: Customer, more: object = {}) =>
  of(customerId, { platform: 'ios', ...more });
export const open = (flow: string, { customerId }: Customer, more: object = {}) =>
  body({ flow, customer_id: customerId, ...more });
export const confirm = (customer: Customer, { id }: Made, more: object = {}) =>
  open('payment_confirm', customer, { target: { type: 'payment', id }, ...more });
/** A load or a withdrawal. */
export const money = ({ customerId }: Customer, amount = 1_00) =>
  body({ customer_id: customerId, amount });
export const request = ({ customerId }: Customer, more: object = {}) =>
  body({ type: 'dynamic', merchant_customer_id: customerId, amount: 1_00, ...more });
export const refund = ({ id }: Made, amount = 1) =>
  body({ payment_id: id, amount, reason: 'other' });
export const simulate = (event: string, { id }: Made, failure_code?: string): Base => ({
  params: { event },
  body: { object_id: id, ...(failure_code ? { failure_code } : {}) },
});
export const dispute = (notice_received_at = '2026-01-01T00:00:00Z') =>
  body({
    customer_id: noCustomer.customerId,
    type: 'error',
    description: 'Not mine',
    notice_received_at,
  });
export const pay = (payer: Customer, more: object) =>
  body({ payer_customer_id: payer.customerId, source: 'balance', ...more });
export const sell = (payer: Customer, payee: Customer, more: object = {}) =>
  pay(payer, { payee_customer_id: payee.customerId, amount: 1_00, ...more });
export const byBank = { source: 'bank_account' };
export const scan = (s: Subjects, { qr_payload }: { qr_payload: string }, more: object = {}) =>
  pay(s.payer, { qr_payload, ...more });

/** A code whose last letters are others: what it says is no longer what was signed. */
export const forged = ({ qr_payload: qr }: { qr_payload: string }) => ({
  qr_payload: `${qr.slice(0, -3)}${qr.at(-3) === 'A' ? 'B' : 'A'}${qr.slice(-2)}`,
});
