import type { EventType } from '@tenant-payments/contract/catalog.ts';
import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import { type Change, nulls } from '../events.ts';
import { effect, sameEnd, taken, unseen } from '../judges.ts';
import type { Play } from '../play.ts';
import type { Duty } from './duty.ts';

/** Two events of one record, one after the other. */
type Told = readonly [as: string, type: EventType, change?: Change];

/** Signs events of one cast in their order. */
function story({ people, sign }: Play, told: readonly Told[]) {
  const tell = people();
  return told.map(([as, type, change]) => sign(as, tell(type, change)));
}

const pairOf = (play: Play, told: readonly [Told, Told]) => {
  const [first, second] = story(play, told);
  return first && second ? [{ first, second }] : [];
};

/** Events of one record in the order of the list, and of another in that of their making, which is the other way round. */
function bothWays(play: Play, told: readonly Told[]) {
  return { late: story(play, told), inOrder: story(play, told.toReversed()) };
}

/** The same event twice, each with a signature of its own. */
function twice({ people, sign }: Play) {
  const event = people()('payment.completed');
  const first = sign('an event', event, { ageSeconds: 2 });
  return { first, second: sign('the same event again', event) };
}

const refundedPart = { status: 'partially_refunded', refunded_amount: 400, version: 4 };
const newer: Told = ['version 4', 'payment.partially_refunded', { record: refundedPart }];
const older: Told = ['version 2 after version 4', 'payment.completed', { record: { version: 2 } }];
const equal: Told = ['version 4 in another event', 'payment.completed', { record: { version: 4 } }];

/** Records that show no version, or one that orders nothing. */
const unversioned: readonly Told[] = [
  ['a document acceptance', 'document_acceptance.accepted', { record: { version: '2026-01' } }],
  ['a session', 'session.completed'],
  ['a transaction', 'transaction.posted'],
  ['an owner', 'owner.approved'],
  ['a statement', 'statement.available'],
];

const overtaken: readonly (readonly [Told, Told])[] = [
  [
    ['superseded', 'document_acceptance.superseded'],
    ['a document acceptance as it was before', 'document_acceptance.accepted'],
  ],
  [
    ['posted', 'transaction.posted'],
    ['a transaction as it was before', 'transaction.created'],
  ],
  [
    ['approved', 'owner.approved', { record: { updated_at: '2026-03-02T15:02:00.000Z' } }],
    [
      'an owner as they were before',
      'owner.pending',
      { record: { updated_at: '2026-03-02T15:01:00.000Z' } },
    ],
  ],
];

const withNulls = ['customer', 'linked_account', 'load', 'payment', 'withdrawal', 'refund'];

const unknownCode = { failure_code: 'bank_on_holiday' };

/** Duties about events: what is acknowledged, and what has no effect. */
export const handling: readonly Duty[] = [
  {
    id: 'duplicate-acknowledged',
    duty: 'An event that comes again, with a new signature, is acknowledged again.',
    rule: 'rules/webhooks#13',
    needs: ['acknowledges'],
    judge: taken((play) => {
      const { first, second } = twice(play);
      return [first, second];
    }),
  },
  {
    id: 'duplicate-no-effect',
    duty: 'An event that comes again has no second effect.',
    rule: 'rules/webhooks#29',
    needs: ['acknowledges'],
    judge: effect('none', (play) => [twice(play)]),
  },
  {
    id: 'older-acknowledged',
    duty: 'An older version that comes after a newer one is acknowledged.',
    rule: 'rules/webhooks#29',
    needs: ['acknowledges'],
    judge: taken((play) => story(play, [newer, older, equal])),
  },
  {
    id: 'overtaken',
    duty: 'An event that comes after a newer one sets no record back, and its step is made all the same.',
    rule: 'rules/webhooks#29',
    needs: ['acknowledges'],
    judge: sameEnd((play) => [bothWays(play, [newer, older])]),
  },
  {
    id: 'unversioned',
    duty: 'Events of records without a numbered version are acknowledged.',
    rule: 'rules/webhooks#31',
    needs: ['acknowledges'],
    judge: taken((play) => story(play, unversioned)),
  },
  {
    id: 'document-not-skipped',
    duty: 'A document acceptance is not skipped for its version, which is the text of the document.',
    rule: 'rules/webhooks#30',
    needs: ['acknowledges'],
    judge: effect('some', (play) =>
      pairOf(play, [
        ['asked for', 'document_acceptance.pending_acceptance'],
        ['its acceptance', 'document_acceptance.accepted'],
      ]),
    ),
  },
  {
    id: 'moves-forward',
    duty: 'Records without a numbered version do not go back to an earlier state.',
    rule: 'rules/webhooks#31',
    needs: ['acknowledges'],
    judge: sameEnd((play) => overtaken.map((pair) => bothWays(play, pair))),
  },
  {
    id: 'any-order',
    duty: 'An event is acknowledged before those of the records that it names.',
    rule: 'rules/events#12',
    needs: ['acknowledges'],
    judge: taken((play) =>
      story(play, [
        ['a refund before its payment', 'refund.completed'],
        ['a payment before its customers', 'payment.created'],
      ]),
    ),
  },
  {
    id: 'unknown-type',
    duty: 'An event of a type that is not known yet is acknowledged.',
    rule: 'guide/versioning',
    needs: ['acknowledges'],
    judge: taken((play) =>
      story(play, [
        ['payment.archived', 'payment.completed', { event: { type: 'payment.archived' } }],
        [
          'gift_card.created',
          'account.created',
          { event: { type: 'gift_card.created' }, record: { object: 'gift_card' } },
        ],
      ]),
    ),
  },
  {
    id: 'unknown-field',
    duty: 'Fields that are not known yet are ignored.',
    rule: 'guide/versioning',
    needs: ['acknowledges'],
    judge: taken((play) =>
      story(play, [
        ['a new field of the record', 'payment.completed', { record: { reward: { points: 12 } } }],
        ['a new field beside the record', 'payment.completed', { data: { changed_by: 'bank' } }],
        ['a new field of the event', 'payment.completed', { event: { sequence: 7 } }],
      ]),
    ),
  },
  {
    id: 'unknown-value',
    duty: 'A code that is not known yet is acknowledged.',
    rule: 'guide/versioning',
    needs: ['acknowledges'],
    judge: taken((play) =>
      story(play, [
        ['failure_code of a payment', 'payment.failed', { record: unknownCode }],
        ['failure_code of a load', 'load.failed', { record: unknownCode }],
      ]),
    ),
  },
  {
    id: 'null-fields',
    duty: 'Fields that are null are no failure.',
    rule: 'rules/errors#35',
    needs: ['acknowledges'],
    judge: taken((play) =>
      story(
        play,
        withNulls.map((resource) => [
          `${resource}.created`,
          `${resource}.created` as EventType,
          { record: nulls(resource as Resource), data: { previous_attributes: null } },
        ]),
      ),
    ),
  },
  {
    id: 'asks-again-for-files',
    duty: 'A file of an event is fetched by asking for the record again: its address ends.',
    rule: 'rules/events#8',
    needs: [],
    judge: unseen('no request shows it'),
  },
];
