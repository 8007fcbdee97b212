import { type Command, command } from '@tenant-payments/engine/command.ts';
import type { LinkOutcome } from '../../rails/facts.ts';
import { linkedAccounts } from '../../resources/linked_accounts/table.ts';
import { factOfLink, keepLinkSaid } from '../rails/said_by_aggregator.ts';
import type { BankVoice } from '../rails/said_by_bank.ts';
import type { ActorInput } from './simulate.ts';

/** The aggregator says something of a link: the same command, which keeps it beside what it does (rules/sandbox#53). */
export const aggregatorSays = <Loaded, Prepared>(
  voice: BankVoice,
  actor: Command<ActorInput, Loaded, Prepared>,
  says: (input: ActorInput) => LinkOutcome,
): Command<ActorInput> =>
  command(actor.name, {
    ...(actor.prepare && { prepare: actor.prepare }),
    ...(actor.ahead && { ahead: actor.ahead }),
    load: async (read, input: ActorInput, prepared: Prepared) => {
      const rows = await actor.load(read, input, prepared);
      return { rows, link: await read.one(linkedAccounts, input.id) };
    },
    decide: (work, { rows, link }, input, prepared) => {
      const { id, version } = link;
      const answer = actor.decide(work, rows, input, prepared);
      keepLinkSaid(work, voice, factOfLink({ id, version }, says(input)), 'taken');
      return answer;
    },
  }) as Command<ActorInput>;
