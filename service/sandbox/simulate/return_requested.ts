import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import {
  heldRequest,
  loadReturnRequest,
  receiveReturnRequest,
} from '../../inbound/return_requests.ts';
import type { ReturnRequestFact } from '../../rails/facts.ts';
import { instructions } from '../../rails/instructions.ts';
import { loads } from '../../resources/loads/table.ts';
import { type BankVoice, keepSaid } from '../rails/said_by_bank.ts';
import type { ActorInput } from './simulate.ts';

/** How long the sandbox's bank waits for an answer: two days. */
const answerSeconds = 2 * 86_400;

/** `bank.return_requested`: the customer's bank asks for the money of a settled load back. */
export const requestReturn = (voice: BankVoice) =>
  command('request_return', {
    load: async (read, { id, amount, remittance }: ActorInput) => {
      const [load, order, now] = await Promise.all([
        read.one(loads, id),
        read.by(instructions, 'source', { source_type: 'load', source_id: id }),
        read.now(),
      ]);
      const fact: ReturnRequestFact = {
        id: `sandbox-${crypto.randomUUID()}`,
        returnRequest: {
          of: order?.id ?? id,
          amount: amount ?? load.amount,
          reason: 'FRAD',
          text: remittance ?? null,
          answerBy: addSeconds(now, answerSeconds),
        },
      };
      const request = heldRequest(fact);
      return { load, fact, request, found: await loadReturnRequest(read, request) };
    },
    decide: (work, { load, fact, request, found }) => {
      if (load.status !== 'settled')
        throw fail('invalid_state', {
          details: { current_status: load.status, allowed: ['settled'] },
        });
      keepSaid(work, voice, fact, receiveReturnRequest(work, found, request));
      return { record: load };
    },
  });
