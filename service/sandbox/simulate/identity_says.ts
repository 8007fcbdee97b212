import { type Command, command } from '@tenant-payments/engine/command.ts';
import type { IdentityDecision } from '../../rails/facts.ts';
import type { IdentitySubject } from '../../rails/identity.ts';
import { awaitsDecision } from '../../resources/customers/identity.ts';
import { owners } from '../../resources/customers/owners/table.ts';
import { customers } from '../../resources/customers/table.ts';
import type { BankVoice } from '../rails/said_by_bank.ts';
import { keepDecision } from '../rails/said_by_identity.ts';
import type { ActorInput } from './simulate.ts';

/** Whether the provider was asked and has not decided; of a case it is the reviewer who decides. */
const asked = {
  customer: async (read, id) => awaitsDecision(await read.one(customers, id)),
  owner: async (read, id) => (await read.one(owners, id)).status === 'pending',
} as const satisfies Record<
  IdentitySubject,
  (read: Parameters<Command<ActorInput>['load']>[0], id: string) => Promise<boolean>
>;

/** The identity provider decides: the same command, which keeps what it says beside what it does (rules/sandbox#54). */
export const identitySays = <Loaded, Prepared>(
  voice: BankVoice,
  subject: IdentitySubject,
  actor: Command<ActorInput, Loaded, Prepared>,
  decision: IdentityDecision,
): Command<ActorInput> =>
  command(actor.name, {
    ...(actor.prepare && { prepare: actor.prepare }),
    ...(actor.ahead && { ahead: actor.ahead }),
    load: async (read, input: ActorInput, prepared: Prepared) => {
      const rows = await actor.load(read, input, prepared);
      return { rows, isAsked: await asked[subject](read, input.id) };
    },
    decide: (work, { rows, isAsked }, input, prepared) => {
      const answer = actor.decide(work, rows, input, prepared);
      const { id: subjectId } = input;
      if (isAsked) keepDecision(work, voice, { subject, subjectId, decision }, 'taken');
      return answer;
    },
  }) as Command<ActorInput>;
