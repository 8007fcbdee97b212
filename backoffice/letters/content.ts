import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  handledAs,
  isLiabilityLimited,
} from '@tenant-payments/service/resources/disputes/table.ts';
import { type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import {
  dollars,
  longDay,
  typeNames,
} from '@tenant-payments/service/resources/statements/words.ts';
import type { LetterKind } from '../contract/operate/dispute_letters.ts';
import { contactOf, senderOf } from './contact.ts';
import { letterTitles } from './due.ts';
import type { LetterFacts, Movement } from './facts.ts';
import type { LetterTexts } from './letter.ts';
import { letterTexts } from './texts.ts';

/** What a letter says, from top to bottom. */
export interface Letter extends LetterTexts {
  readonly title: string;
  readonly issuer: string;
  /** Who answers for the account, and where. */
  readonly sender: readonly string[];
  readonly day: Day;
  readonly customer: string;
  /** What the letter is about: names and their values. */
  readonly subject: readonly (readonly [string, string])[];
  readonly closing: readonly string[];
}

const noticeNames = {
  error: 'Error',
  unauthorized_transfer: 'Unauthorized transfer',
  purchase_dispute: 'Purchase dispute',
} as const;

const movementRows = ({ kind, id, type, at, amount, party }: Movement) => [
  ['Transaction', typeNames[type]] as const,
  ['Transaction date', longDay(easternDay(at))] as const,
  ['Transaction amount', dollars(amount)] as const,
  ...(party === null ? [] : [['Other party', party] as const]),
  [kind === 'payment' ? 'Payment ID' : 'Transaction ID', publicId(kind, id)] as const,
];

function subjectOf({ dispute, movement }: LetterFacts): Letter['subject'] {
  const { id, notice_received_at, disputed_cents } = dispute;
  return [
    ['Dispute ID', publicId('dispute', id)],
    ['Type of notice', noticeNames[handledAs(dispute)]],
    ['Notice received', longDay(easternDay(notice_received_at))],
    ...(movement ? movementRows(movement) : [['Transaction', 'None named'] as const]),
    ...(disputed_cents === null ? [] : [['Amount in dispute', dollars(disputed_cents)] as const]),
  ];
}

/** The law that a letter is written by; null: none. */
function lawOf({ dispute }: LetterFacts): string | null {
  if (dispute.regulation_e) return 'This letter is a notice under Regulation E, 12 CFR 1005.11.';
  if (isLiabilityLimited(dispute))
    return 'This letter is a notice under Regulation E: 12 CFR 1005.6 limits your liability.';
  return null;
}

/** The letter of a dispute, as it stands on its day. */
export function letterOf(facts: LetterFacts, kind: LetterKind, day: Day): Letter {
  const law = lawOf(facts);
  return {
    title: letterTitles[kind],
    issuer: facts.issuer,
    sender: senderOf(facts),
    day,
    customer: facts.customer,
    ...letterTexts[kind](facts, day),
    subject: subjectOf(facts),
    closing: [
      ...(law === null ? [] : [law]),
      `If you have a question, ${contactOf(facts)}, and give the dispute ID above.`,
    ],
  };
}
