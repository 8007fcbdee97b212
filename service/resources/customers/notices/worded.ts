import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Database } from '../../../database.ts';
import { renderMessage } from '../../../rails/mail/render.ts';
import type { Message, RenderedMessage } from '../../../rails/messages.ts';
import type { Day } from '../../limits/days.ts';
import { maskedEmail } from '../masks.ts';
import { customerMessages } from '../messages/table.ts';
import { brandOfTenant } from '../messages/worded.ts';
import { isOnPaper } from '../paper.ts';
import type { NoticeContents, NoticeTexts } from './port.ts';
import { noticeSeal, notices } from './table.ts';

export interface Wording {
  readonly db: Kysely<Database>;
  readonly pool: pg.Pool;
  readonly clocks: Clocks;
  readonly vault: Vault;
  readonly engine: Pick<Engine, 'submit'>;
  readonly texts: NoticeTexts;
}

/** The words of a notice as they are kept. */
export interface KeptWords extends RenderedMessage {
  /** The day from which days in them count; absent: they hold on any day. */
  readonly day?: Day;
}

/** Whether a notice in these words says days that count from another day than that of its present words. */
export const isOfOtherDay = ({ day: kept }: KeptWords, { day }: NoticeContents): boolean =>
  day !== undefined && kept !== day;

interface Kept {
  readonly id: string;
  /** The words that these take the place of, as they are kept; null: the first ones. */
  readonly replaced: string | null;
  readonly rendered_sealed: string;
  readonly address_sealed: string;
  readonly masked: string;
}

/**
 * Keeps the words before they go out: what is sent again is what was kept first, but for words whose days count from
 * another day.
 */
const keepWords = command('keep_notice', {
  load: async (read, { id }: Kept) => ({
    notice: await read.one(notices, id),
    message: await read.one(customerMessages, id),
  }),
  decide: (work, { notice, message }, { replaced, rendered_sealed, address_sealed, masked }) => {
    const { rendered_sealed: rendered, address_sealed: address } = notice;
    if (rendered !== replaced && rendered !== null && address !== null)
      return { value: { rendered, address } };
    work.change<typeof notices>(notice, { rendered_sealed, address_sealed });
    work.change<typeof customerMessages>(message, { masked });
    return { value: { rendered: rendered_sealed, address: address_sealed } };
  },
});

interface NoticeMessage {
  /** The message as the provider takes it. */
  readonly message: Message;
  /** A person gives it instead. */
  readonly isOnPaper: boolean;
}

/** A notice, its words kept; null: there is nobody or nothing to tell any more. */
export async function noticeMessage(
  { db, pool, clocks, vault, engine, texts }: Wording,
  tenantId: string,
  id: string,
): Promise<NoticeMessage | null> {
  const found = await db
    .selectFrom('notices as n')
    .innerJoin('tenants as t', 't.tenant_id', 'n.tenant_id')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.tenant_id', '=', 'n.tenant_id').onRef('c.id', '=', 'n.customer_id'),
    )
    .where('n.tenant_id', '=', tenantId)
    .where('n.id', '=', id)
    .select(['n.id', 'n.kind', 'n.detail', 'n.source_id', 'n.customer_id', 'n.created_at'])
    .select('n.rendered_sealed as known')
    .select(['c.email', 'c.paper_since', 't.name', 't.settings'])
    .executeTakeFirst();
  if (!found || found.email === null) return null;
  const { kind, email } = found;
  const contents = await texts[kind]?.({ db, pool, clocks }, tenantId, found);
  if (!contents) return null;
  const brand = brandOfTenant(tenantId, found);
  const locale = null;
  const place = noticeSeal(id);
  const { day } = contents;
  const words: KeptWords = { ...renderMessage(contents, { locale, brand }), ...(day && { day }) };
  const known = found.known && (vault.open(tenantId, place, found.known) as KeptWords);
  const input: Kept = {
    id,
    replaced: known && isOfOtherDay(known, contents) ? found.known : null,
    rendered_sealed: vault.seal(tenantId, place, words),
    address_sealed: vault.seal(tenantId, place, email),
    masked: maskedEmail(email),
  };
  const { body } = await engine.submit(keepWords, { tenantId, input });
  const kept = JSON.parse(body) as { readonly rendered: string; readonly address: string };
  const { day: _, ...rendered } = vault.open(tenantId, place, kept.rendered) as KeptWords;
  const address = String(vault.open(tenantId, place, kept.address));
  const data = { source: found.source_id };
  const of = { id, tenantId, template: kind, locale, brand, data, rendered } as const;
  const message = { ...of, to: { email: address }, expiresAt: null };
  return { message, isOnPaper: isOnPaper(found) };
}
