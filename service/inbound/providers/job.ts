import { command } from '@tenant-payments/engine/command.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../database.ts';
import type { Inbound } from '../../rails/facts.ts';
import { noteRailMessage, readSaid } from './kept_messages.ts';
import { actOn, type MessageEnd } from './receipt.ts';

interface Context {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly clocks: Pick<Clocks, 'realNow'>;
  readonly log: Pick<Logger, 'error'>;
  readonly inbound: Inbound;
}

/** A message that was erased before anything came of it. */
const erased: MessageEnd = { state: 'refused', result: 'erased' };

/** Job `rail_message`: acts on a kept message on which nobody has acted (rules/rails#6). */
export const railMessageJob = (context: Context) =>
  command('rail_message', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => {
      const found = await readSaid(context, tenantId, ref).catch(isErased);
      const ended =
        found === null ? erased : await actOn(context.inbound, found.said.receipt, context.log);
      return { ...ended, at: instantOf(context.clocks.realNow()) };
    },
    load: (read, { ref }, ended) => noteRailMessage.load(read, { ...ended, id: ref }, undefined),
    decide: (work, row, { ref }, ended) =>
      noteRailMessage.decide(work, row, { ...ended, id: ref }, undefined),
  });

function isErased(error: unknown): null {
  if ((error as { code?: unknown }).code === 'invalid_state') return null;
  throw error;
}
