import type { RecordOf } from '../../catalog.ts';
import { type IdKind, publicId } from '../../core/ids.ts';
import type { Example, StateOf } from '../../examples/example.ts';
import { examples } from '../../examples/records.ts';
import type { Resource } from '../../lifecycles.ts';

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

/** A webhook endpoint beside the first. */
export const further = 'whe_019cb0c45e00700080000000000000c1';

/** The story's id for each name that examples give a record. */
const named: Readonly<Record<string, string>> = {
  customer: ids.ana,
  payer: ids.ana,
  merchant: ids.cafe,
  account: ids.anaAccount,
  session: ids.session,
  linked_account: ids.linkedAccount,
  load: ids.load,
  payment_request: ids.paymentRequest,
  payment: ids.payment,
  withdrawal: ids.withdrawal,
  refund: ids.refund,
  dispute: ids.dispute,
  transaction: ids.transaction,
  statement: ids.statement,
  owner: ids.owner,
  document_acceptance: ids.document,
};

/** An instant of the story's day. */
export const at = (time: string) => `2026-03-02T${time}.000Z`;

/** A uuid that differs from others in its last two digits. */
export const uuid = (last: string) => `019cb0c4-5e00-7000-8000-0000000000${last}`;

/** The Tenant of the story, as the staff of the platform see it. */
export const tenant = { tenant_id: uuid('b1'), tenant_name: 'Sample Tenant' };

export const tokenOf = (words: string) => `${words}_EXAMPLE_NOT_A_SECRET`;
/** A passkey's answer, and what the browser is asked for it by. */
export const credential = { id: 'cGFzc2tleQ', type: 'public-key' as const, response: {} };
export const options = {
  challenge: 'Y2hhbGxlbmdl',
  timeout: 120000,
  userVerification: 'required' as const,
};

export const qrPayload = 'tps1.eyJ2IjoxLCJpZCI6InByXzAxOWNiIn0.c2lnbmF0dXJl';

/** Times of the story's day at which a record was created and last changed, and its version. */
export type Course = readonly [created: string, changed: string, version: number];

export const storyExample = ([created, changed, version]: Course): Example => ({
  id: (kind, name = kind) => named[name] ?? `there is no ${name} in the story`,
  uuidOf: (name) => named[name] ?? '',
  now: at(changed),
  created: at(created),
  version,
  day: '2026-03-02',
  qr: { write: () => qrPayload },
});

/** A record of the story in this state. @param fields what differs from every other example */
export const inStory = <R extends Resource>(
  resource: R,
  status: StateOf<R>,
  course: Course,
  fields: Partial<RecordOf<R>> = {},
): RecordOf<R> => ({ ...examples[resource](storyExample(course), status), ...fields });
