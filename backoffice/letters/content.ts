import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { FileLanguage } from '@tenant-payments/service/http/files/downloads.ts';
import {
  handledAs,
  isLiabilityLimited,
} from '@tenant-payments/service/resources/disputes/table.ts';
import { type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { dollars } from '@tenant-payments/service/resources/statements/words.ts';
import type { LetterKind } from '../contract/operate/dispute_letters.ts';
import { contactOf, senderOf } from './contact.ts';
import type { LetterFacts, Movement } from './facts.ts';
import type { LetterTexts, Told } from './letter.ts';
import { letterTexts } from './texts.ts';
import type { LetterWords } from './words/letter_words.ts';
import { letterWords } from './words/words.ts';

/** The parts of a letter, from top to bottom. */
export interface Letter extends LetterTexts {
  readonly title: string;
  readonly issuer: string;
  /** The institution that answers for the account, and its address. */
  readonly sender: readonly string[];
  readonly day: Day;
  readonly customer: string;
  /** The subject of the letter: names and their values. */
  readonly subject: readonly (readonly [string, string])[];
  readonly closing: readonly string[];
  readonly words: LetterWords;
}

type Rows = Letter['subject'];

const movementRows = (
  { kind, id, type, at, amount, party }: Movement,
  { subject, types, longDay }: LetterWords,
): Rows => [
  [subject.transaction, types[type]],
  [subject.date, longDay(easternDay(at))],
  [subject.amount, dollars(amount)],
  ...(party === null ? [] : [[subject.party, party] as const]),
  [kind === 'payment' ? subject.payment : subject.transactionId, publicId(kind, id)],
];

function subjectOf({ dispute, movement, words }: Told): Rows {
  const { id, notice_received_at, disputed_cents } = dispute;
  const { subject, noticeTypes, longDay } = words;
  return [
    [subject.dispute, publicId('dispute', id)],
    [subject.type, noticeTypes[handledAs(dispute)]],
    [subject.received, longDay(easternDay(notice_received_at))],
    ...(movement ? movementRows(movement, words) : [[subject.transaction, subject.none] as const]),
    ...(disputed_cents === null ? [] : [[subject.disputed, dollars(disputed_cents)] as const]),
  ];
}

/** The law that a letter is written by; null: none. */
function lawOf({ dispute, words: { law } }: Told): string | null {
  if (dispute.regulation_e) return law.deadlines;
  return isLiabilityLimited(dispute) ? law.liability : null;
}

/** The letter of a dispute, as it stands on its day (rules/disputes#67). */
export function letterOf(
  facts: LetterFacts,
  kind: LetterKind,
  day: Day,
  language: FileLanguage = 'en',
): Letter {
  const words = letterWords[language];
  const told: Told = { ...facts, words };
  const law = lawOf(told);
  return {
    title: words.titles[kind],
    issuer: facts.issuer,
    sender: senderOf(facts),
    day,
    customer: facts.customer,
    ...letterTexts[kind](told, day),
    subject: subjectOf(told),
    closing: [...(law === null ? [] : [law]), words.question(contactOf(told))],
    words,
  };
}
