import { type Command, command } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { applyIdentityFact, readSubject } from '../../inbound/identity_facts.ts';
import { applyLinkOutcome, readLink } from '../../inbound/link_facts.ts';
import type { LinkOutcome } from '../../rails/facts.ts';
import { awaitsDecision } from '../../resources/customers/identity.ts';
import { fullName } from '../../resources/customers/names.ts';
import { owners } from '../../resources/customers/owners/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { linkAnswer, needsLoginAt } from './aggregator.ts';
import { factOfLink, keepLinkSaid } from './said_by_aggregator.ts';
import type { BankVoice } from './said_by_bank.ts';
import { keepDecision } from './said_by_identity.ts';
import type { AnswerName } from './scheduling.ts';
import { customerAnswer, ownerAnswer } from './test_values.ts';

/** How one kind of answer is given. */
interface Answer<Rows> {
  readonly load: (read: Read, ref: string) => Promise<Rows>;
  /** The record still waits; if not, simulate was first and the answer is dropped. */
  readonly waits: (rows: Rows) => boolean;
  readonly give: (work: Work, rows: Rows) => void;
}

/** The answer and the end of its job are one command, so it is given once (rules/sandbox#16). */
const answering = <Rows>(name: AnswerName, { load, waits, give }: Answer<Rows>) =>
  command(name, {
    load: (read, { ref }: { ref: string }) => load(read, ref),
    decide: (work, rows, { ref }) => {
      if (waits(rows)) give(work, rows);
      work.cancelJob(name, ref);
      return { value: null };
    },
  });

const linkAnswers = (voice: BankVoice): Answer<Awaited<ReturnType<typeof readLink>>> => ({
  load: readLink,
  waits: ({ link }) => link.status === 'pending',
  give: (work, rows) => {
    const { link, customer } = rows;
    const say = (outcome: LinkOutcome) => {
      const fact = factOfLink(link, outcome);
      keepLinkSaid(work, voice, fact, applyLinkOutcome(work, rows, outcome));
    };
    say(linkAnswer(link.institution_name, fullName(customer)));
    if (needsLoginAt(link.institution_name)) say({ outcome: 'needs_login' });
  },
});

async function readCustomer(read: Read, ref: string) {
  const [row, subject] = await Promise.all([
    read.one(customers, ref),
    readSubject.customer(read, ref),
  ]);
  return { row, subject };
}

/** An approval before the owners' moves nothing; theirs requests it again (rules/sandbox#17). */
const customerAnswers = (voice: BankVoice): Answer<Awaited<ReturnType<typeof readCustomer>>> => ({
  load: readCustomer,
  waits: ({ row }) => awaitsDecision(row),
  give: (work, { row, subject }) => {
    const decision = customerAnswer(row);
    const said = { subject: 'customer', subjectId: row.id, decision } as const;
    keepDecision(work, voice, said, applyIdentityFact(work, subject, said));
  },
});

async function readOwner(read: Read, ref: string) {
  const [row, subject] = await Promise.all([read.one(owners, ref), readSubject.owner(read, ref)]);
  return { row, subject };
}

const ownerAnswers = (voice: BankVoice): Answer<Awaited<ReturnType<typeof readOwner>>> => ({
  load: readOwner,
  waits: ({ row }) => row.status === 'pending',
  give: (work, { row, subject }) => {
    const decision = ownerAnswer(row);
    const said = { subject: 'owner', subjectId: row.id, decision } as const;
    keepDecision(work, voice, said, applyIdentityFact(work, subject, said));
  },
});

/** The answers of automatic mode: jobs in real time (rules/sandbox#14). */
export const answerJobs = (
  voice: BankVoice,
): Readonly<Record<Exclude<AnswerName, 'sandbox_bank_answer'>, Command<{ ref: string }>>> => ({
  sandbox_link_answer: answering('sandbox_link_answer', linkAnswers(voice)),
  sandbox_customer_answer: answering('sandbox_customer_answer', customerAnswers(voice)),
  sandbox_owner_answer: answering('sandbox_owner_answer', ownerAnswers(voice)),
});
