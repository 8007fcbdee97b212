import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import type { Message, Messages } from '../../../rails/messages.ts';
import { failureOf, type HandedOver, noteSent, sentAs } from './outcome.ts';

interface Needs {
  readonly engine: Pick<Engine, 'submit'>;
  readonly messages: Pick<Messages, 'send'>;
}

/**
 * Hands a message over that may be sent once: nobody tries it again, since nobody knows what came of a try that
 * gave no answer (rules/messages#4).
 * @returns how it ended @throws what the provider has thrown, unless it is a refusal
 */
export async function sendOnce({ engine, messages }: Needs, message: Message): Promise<HandedOver> {
  const { id, tenantId } = message;
  const note = (told: HandedOver) => engine.submit(noteSent, { tenantId, input: { id, told } });
  try {
    const told = sentAs(await messages.send(message));
    await note(told);
    return told;
  } catch (error) {
    const failure = failureOf(error);
    await note(failure ?? { as: 'undeliverable', reason: 'not_taken' });
    if (failure) return failure;
    throw error;
  }
}
