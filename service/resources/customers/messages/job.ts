import type { Kysely } from 'kysely';
import { command } from '../../../core/command.ts';
import { assert } from '../../../core/fail.ts';
import type { Vault } from '../../../core/vault.ts';
import type { Message, Messages, MessageTo } from '../../../rails/messages.ts';
import type { Database } from '../../database.ts';
import { openMobile } from '../mobile_number.ts';
import { customerMessages } from './table.ts';
import { wordMessage } from './texts.ts';

interface Context {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly messages: Pick<Messages, 'send'>;
}

interface Worded {
  readonly to: MessageTo;
  readonly message: Message;
}

/** The message as the provider takes it; null when it has been sent. */
async function waitingMessage(
  { db, vault }: Context,
  tenantId: string,
  id: string,
): Promise<Worded | null> {
  const found = await db
    .selectFrom('customer_messages as m')
    .innerJoin('tenants as t', 't.tenant_id', 'm.tenant_id')
    .where('m.tenant_id', '=', tenantId)
    .where('m.id', '=', id)
    .where('m.status', '=', 'waiting')
    .select(['m.kind', 'm.email', 'm.mobile_hmac', 'm.mobile_sealed', 'm.facts'])
    .select(['m.created_at', 't.name'])
    .executeTakeFirst();
  if (!found) return null;
  const { kind, email, created_at: when, name: tenant } = found;
  assert(found.facts !== null, 'a message that waits has its facts');
  const texts = wordMessage(kind, { ...JSON.parse(found.facts), tenant, when });
  return {
    to: email === null ? { mobile_number: openMobile(vault, tenantId, found) } : { email },
    message: { kind: 'change', id, about: kind, ...texts },
  };
}

/** Job `customer_message`: hands a message to its provider, then empties what it says of a person. */
export const customerMessageJob = (context: Context) =>
  command('customer_message', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => {
      const worded = await waitingMessage(context, tenantId, ref);
      if (worded) await context.messages.send(tenantId, worded.to, worded.message);
      return worded !== null;
    },
    load: (read, { ref }) => read.one(customerMessages, ref),
    decide: (work, message, { ref }, handedOver) => {
      const sent = { status: 'sent', sent_at: work.now } as const;
      const emptied = { email: null, mobile_hmac: null, mobile_sealed: null, facts: null } as const;
      if (handedOver) work.change(message, { ...sent, ...emptied });
      if (message.status === 'sent') work.cancelJob('customer_message', ref);
      return { value: null };
    },
  });
