import type { Magic } from '@tenant-payments/contract/sandbox/magic.ts';
import { magicBanks } from './rails/aggregator.ts';
import { sandboxCode } from './rails/messages.ts';
import { answerAfterSeconds } from './rails/scheduling.ts';
import { magicAmounts, magicNames } from './rails/test_values.ts';
import { sampleEmail, samplePeople } from './sample/sample.ts';
import { samplePin } from './sample/submission.ts';

/** A person's whole name, or what a business is called. */
const nameOf = ({ prefill }: (typeof samplePeople)[number]): string =>
  'legal_name' in prefill ? prefill.legal_name : `${prefill.first_name} ${prefill.last_name}`;

/** The values that the sandbox is played with, out of the tables that it runs on. */
export const magic: Magic = {
  pin: samplePin,
  message_code: sandboxCode,
  answer_seconds: answerAfterSeconds,
  people: samplePeople.map((person) => ({
    external_ref: person.external_ref,
    name: nameOf(person),
    type: person.type,
    email: sampleEmail(person.external_ref),
    bank: person.bank,
  })),
  names: magicNames,
  banks: magicBanks,
  amounts: magicAmounts,
};
