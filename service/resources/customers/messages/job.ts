import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database.ts';
import type { Message, Messages, MessageTo } from '../../../rails/messages.ts';
import { openMobile } from '../mobile_number.ts';
import { customerMessages, messageFacts } from './table.ts';
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
  const facts = messageFacts.read(tenantId, JSON.parse(found.facts));
  const texts = wordMessage(kind, { ...facts, tenant, when });
  return {
    to: email === null ? { mobile_number: openMobile(vault, tenantId, found) } : { email },
    message: { kind: 'change', id, about: kind, ...texts },
  };
}

/** Later it would tell a customer what is no news, and keep an address for nobody. */
const givenUpAfterMs = 3 * 86_400_000;

/** What became of handing it over; the error of a provider that did not take it. */
type HandedOver = 'sent' | 'nothing' | { readonly error: unknown };

/**
 * Job `customer_message`: hands a message to its provider, then empties what it says of a person
 * (rules/customers#33).
 */
export const customerMessageJob = (context: Context) =>
  command('customer_message', {
    async prepare({ ref }: { ref: string }, { tenantId }): Promise<HandedOver> {
      const worded = await waitingMessage(context, tenantId, ref);
      if (!worded) return 'nothing';
      const sending = context.messages.send(tenantId, worded.to, worded.message);
      return sending.then(
        () => 'sent' as const,
        (error: unknown) => ({ error }),
      );
    },
    load: (read, { ref }) => read.one(customerMessages, ref),
    decide: (work, message, { ref }, handedOver) => {
      const emptied = { email: null, mobile_hmac: null, mobile_sealed: null, facts: null } as const;
      const over = (status: 'sent' | 'given_up', sent_at: string | null) =>
        work.change(message, { status, sent_at, ...emptied });
      if (handedOver === 'sent') over('sent', work.now);
      else if (handedOver !== 'nothing') {
        if (Date.parse(work.now) - Date.parse(message.created_at) < givenUpAfterMs)
          throw handedOver.error;
        over('given_up', null);
      }
      if (message.status !== 'waiting') work.cancelJob('customer_message', ref);
      return { value: null };
    },
  });
