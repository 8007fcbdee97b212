import { type IdKind, publicId } from '../../core/ids.ts';

/** A wire id that differs from others in its last digits. */
const id = (kind: IdKind, last: number): string =>
  publicId(kind, `019cb0c4-5e00-7000-8000-${last.toString(16).padStart(12, '0')}`);

/** The ids of one story: Ana pays in a cafe by QR code, and a part is refunded. */
export const ids = {
  ana: id('customer', 1),
  cafe: id('customer', 2),
  anaAccount: id('account', 3),
  cafeAccount: id('account', 4),
  session: id('session', 5),
  linkedAccount: id('linked_account', 6),
  load: id('load', 7),
  paymentRequest: id('payment_request', 8),
  payment: id('payment', 9),
  withdrawal: id('withdrawal', 10),
  refund: id('refund', 11),
  dispute: id('dispute', 12),
  transaction: id('transaction', 13),
  statement: id('statement', 14),
  owner: id('owner', 15),
  document: id('document_acceptance', 16),
  event: id('event', 17),
  request: id('request', 18),
  approval: id('approval', 19),
} as const;

/** An instant of the story's day. */
export const at = (time: string) => `2026-03-02T${time}.000Z`;

export const tokenOf = (words: string) => `${words}_EXAMPLE_NOT_A_SECRET`;
export const qrPayload = 'tps1.eyJ2IjoxLCJpZCI6InByXzAxOWNiIn0.c2lnbmF0dXJl';
