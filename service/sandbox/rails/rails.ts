import type { Rails } from '../../rails/rails.ts';
import type { Service } from '../../service.ts';
import { reserveTopUpJob } from '../sample/reserve.ts';
import { openSandboxAggregator } from './aggregator.ts';
import { answerJobs } from './answers.ts';
import { openSandboxBank } from './bank.ts';
import { openSandboxIdentity } from './identity.ts';
import { openSandboxMessages } from './messages.ts';
import { answerAfterSeconds, openAsking } from './scheduling.ts';

/**
 * The outside as the sandbox plays it.
 * @param afterSeconds how long an answer takes in automatic mode, in real seconds
 */
export function sandboxRails(
  service: Pick<Service, 'engine' | 'db'>,
  afterSeconds = answerAfterSeconds,
): Rails {
  const ask = openAsking(service.engine, afterSeconds);
  return {
    identity: openSandboxIdentity(ask),
    aggregator: openSandboxAggregator(ask),
    bank: openSandboxBank(ask),
    messages: openSandboxMessages(),
    jobs: { ...answerJobs, reserve_top_up: reserveTopUpJob(service) },
  };
}
