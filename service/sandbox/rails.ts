import type { Rails } from '../rails/rails.ts';
import type { Service } from '../service.ts';
import { openSandboxAggregator } from './aggregator.ts';
import { answerDuties } from './answers.ts';
import { answerAfterSeconds, openAsking } from './asking.ts';
import { openSandboxBank } from './bank.ts';
import { openSandboxIdentity } from './identity.ts';

/**
 * The outside as the sandbox plays it.
 * @param afterSeconds how long an answer takes in automatic mode, in real seconds
 */
export function sandboxRails(
  { engine }: Pick<Service, 'engine'>,
  afterSeconds = answerAfterSeconds,
): Rails {
  const ask = openAsking(engine, afterSeconds);
  return {
    identity: openSandboxIdentity(ask),
    aggregator: openSandboxAggregator(ask),
    bank: openSandboxBank(ask),
    duties: answerDuties,
  };
}
