import { List } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Day,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The letters to the customer of a dispute (rules/disputes#45). */
export const letterKinds = [
  'late_notice',
  'reasserted',
  'provisional_credit',
  'correction',
  'result',
  'denial',
] as const;
export type LetterKind = (typeof letterKinds)[number];

/** Why a letter cannot be written. */
export const letterReasons = [
  'linked',
  'customer_erased',
  'not_credited',
  'unresolved',
  'other_outcome',
  'in_time',
  'not_reasserted',
  'reasserted',
] as const;
export type LetterReason = (typeof letterReasons)[number];

export const DisputeLetter = Closed({
  kind: OneOf(letterKinds),
  title: Type.String(),
  available: Type.Boolean(),
  reason: Nullable(OneOf(letterReasons, 'Why it is not available')),
  date: Nullable(Day('Date of the letter, in Eastern Time; null: it is not available')),
  give_today: Type.Boolean({
    description:
      'It names the day of a debit, which counts from the day on which it is given: it is dated today, and must be given today',
  }),
  download_url: Nullable(
    Type.String({
      description: 'Time-limited address of the PDF; request the letter again for a fresh one',
    }),
  ),
  download_url_expires_at: Nullable(Instant('In real time')),
});
export type DisputeLetter = Static<typeof DisputeLetter>;

const Lines = Type.Array(Type.String());

const inWords = {
  title: Type.String(),
  greeting: Type.String(),
  lead: Type.String(),
  subject: Type.Array(Closed({ name: Type.String(), value: Type.String() })),
  sections: Type.Array(Closed({ heading: Type.String(), paragraphs: Lines })),
  closing: Lines,
};

/** A letter that a move would lead to, in words. */
export const PreviewedLetter = Closed({
  kind: OneOf(letterKinds),
  date: Day('Date of the letter, in Eastern Time'),
  sender: Type.Array(Type.String(), { description: 'Who writes, with address and phone' }),
  customer: Type.String({ description: 'Whom it is written to' }),
  ...inWords,
  in_spanish: Closed(inWords, 'The same in Spanish: the mail has both'),
});
export type PreviewedLetter = Static<typeof PreviewedLetter>;

export const listDisputeLetters = portalEndpoint({
  id: 'listDisputeLetters',
  method: 'GET',
  path: '/portal/api/disputes/:id/letters',
  summary: 'List the letters of a dispute, each with a fresh address of its PDF',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  params: Closed({ id: IdInput('Dispute identifier') }),
  success: { status: 200, schema: List(DisputeLetter) },
  errors: ['not_found'],
});

export const getDisputeLetter = portalEndpoint({
  id: 'getDisputeLetter',
  method: 'GET',
  path: '/portal/api/disputes/:id/letters/:kind',
  summary: 'Get a letter of a dispute with a fresh address of its PDF',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  params: Closed({
    id: IdInput('Dispute identifier'),
    kind: IdInput(`Kind of the letter: ${letterKinds.join(', ')}`),
  }),
  success: { status: 200, schema: DisputeLetter },
  errors: ['not_found', 'invalid_state'],
});
