import type { Rails } from '../../rails/rails.ts';
import type { Service } from '../../service.ts';
import { reserveTopUpJob } from '../sample/reserve.ts';
import { openSandboxAggregator } from './aggregator.ts';
import { answerJobs } from './answers.ts';
import { openSandboxBank } from './bank.ts';
import { bankAnswerJob } from './bank_answer.ts';
import { openSandboxIdentity } from './identity.ts';
import { openSandboxMessages, sandboxMessagesProvider } from './messages.ts';
import { sandboxAggregator } from './said_by_aggregator.ts';
import { openBankVoice, sandboxBank } from './said_by_bank.ts';
import { sandboxIdentity } from './said_by_identity.ts';
import { answerAfterSeconds, openScheduling } from './scheduling.ts';

/**
 * The sandbox's bank, aggregator, identity provider and messages (rules/sandbox#1).
 * @param afterSeconds real seconds until an answer in automatic mode
 */
export function sandboxRails(
  service: Pick<Service, 'engine' | 'db' | 'vault' | 'clocks'>,
  afterSeconds = answerAfterSeconds,
): Rails {
  const schedule = openScheduling(service.engine, afterSeconds);
  const voice = openBankVoice(service);
  return {
    identity: openSandboxIdentity(schedule),
    aggregator: openSandboxAggregator(service.vault, schedule),
    bank: openSandboxBank(schedule, service.db),
    messages: openSandboxMessages(),
    providers: [sandboxAggregator, sandboxBank, sandboxIdentity, sandboxMessagesProvider],
    jobs: {
      ...answerJobs(voice),
      sandbox_bank_answer: bankAnswerJob(voice),
      reserve_top_up: reserveTopUpJob(service),
    },
  };
}
