import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { callFor } from '../../../rails/call.ts';
import type { Message, Messages } from '../../../rails/messages.ts';
import { openMobile } from '../mobile_number.ts';
import { loadMessage, takeWord } from '../notices/given.ts';
import { isNoticeKind } from '../notices/kinds.ts';
import type { NoticeEffects } from '../notices/port.ts';
import { noticeMessage, type Wording } from '../notices/worded.ts';
import { failureOf, type HandedOver, onPaper, sentAs } from './outcome.ts';
import { messageFacts } from './table.ts';
import { isOnce, wordMessage } from './texts.ts';
import { brandOfTenant, providerMessage } from './worded.ts';

interface Context extends Wording {
  readonly messages: Pick<Messages, 'send'>;
  readonly effects: NoticeEffects;
}

/** The message as the provider takes it; null: it has been sent, or nobody has its secret any more. */
async function waitingMessage(
  context: Context,
  tenantId: string,
  id: string,
): Promise<Message | typeof onPaper | null> {
  const { db, vault } = context;
  const found = await db
    .selectFrom('customer_messages as m')
    .innerJoin('tenants as t', 't.tenant_id', 'm.tenant_id')
    .where('m.tenant_id', '=', tenantId)
    .where('m.id', '=', id)
    .where('m.status', '=', 'waiting')
    .select(['m.kind', 'm.email', 'm.mobile_hmac', 'm.mobile_sealed', 'm.facts', 'm.locale'])
    .select(['m.created_at', 't.name', 't.settings'])
    .executeTakeFirst();
  if (!found || isOnce(found.kind)) return null;
  const { kind, email, created_at: when, locale } = found;
  if (isNoticeKind(kind)) {
    const notice = await noticeMessage(context, tenantId, id);
    return notice?.isOnPaper ? onPaper : (notice?.message ?? null);
  }
  assert(found.facts !== null, 'a message that waits has its facts');
  const facts = messageFacts.read(tenantId, JSON.parse(found.facts));
  const brand = brandOfTenant(tenantId, found);
  return providerMessage({
    id,
    tenantId,
    template: kind,
    locale,
    brand,
    to: email === null ? { mobile_number: openMobile(vault, tenantId, found) } : { email },
    contents: wordMessage(kind, { ...facts, tenant: brand.name, when }),
    data: { ...facts, when },
    expiresAt: null,
  });
}

/** Later it would tell a customer what is no news, and keep an address for nobody. */
const givenUpAfterMs = 3 * 86_400_000;

/** `nothing`: there is nothing to hand over; the error of a provider that did not take it. */
type Tried = HandedOver | 'nothing' | { readonly error: unknown };

/**
 * Job `customer_message`: hands a message to its provider, then empties what it says of a person
 * (rules/customers#33). Of a code or a link it only notes that nobody knows whether it was sent.
 */
export const customerMessageJob = (context: Context) =>
  command('customer_message', {
    async prepare({ ref }: { ref: string }, { tenantId, actor }): Promise<Tried> {
      const message = await waitingMessage(context, tenantId, ref);
      if (!message) return 'nothing';
      if ('as' in message) return message;
      return context.messages
        .send(message, callFor(actor))
        .then(sentAs, (error: unknown) => failureOf(error) ?? { error });
    },
    load: (read, { ref }) => loadMessage(read, ref, context.effects),
    decide: (work, loaded, { ref }, tried) => {
      const { message } = loaded;
      const waits = message.status === 'waiting';
      const lost = { as: 'undeliverable', reason: 'not_taken' } as const;
      if (tried === 'nothing') {
        if (waits) takeWord(work, loaded, lost);
      } else if ('as' in tried) takeWord(work, loaded, tried);
      else {
        if (Date.parse(work.now) - Date.parse(message.created_at) < givenUpAfterMs)
          throw tried.error;
        takeWord(work, loaded, lost);
      }
      if (!waits) work.cancelJob('customer_message', ref);
      return { value: null };
    },
  });
