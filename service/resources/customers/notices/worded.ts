import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Database } from '../../../database.ts';
import { renderMessage } from '../../../rails/mail/render.ts';
import type { Message, RenderedMessage } from '../../../rails/messages.ts';
import { maskedEmail } from '../masks.ts';
import { customerMessages } from '../messages/table.ts';
import { brandOfTenant } from '../messages/worded.ts';
import { isOnPaper } from '../paper.ts';
import type { NoticeTexts } from './port.ts';
import { noticeSeal, notices } from './table.ts';

export interface Wording {
  readonly db: Kysely<Database>;
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly engine: Pick<Engine, 'submit'>;
  readonly texts: NoticeTexts;
}

interface Kept {
  readonly id: string;
  readonly rendered_sealed: string;
  readonly address_sealed: string;
  readonly masked: string;
}

/** Keeps the words before they go out, once: what is sent again is what was kept first. */
const keepWords = command('keep_notice', {
  load: async (read, { id }: Kept) => ({
    notice: await read.one(notices, id),
    message: await read.one(customerMessages, id),
  }),
  decide: (work, { notice, message }, { rendered_sealed, address_sealed, masked }) => {
    if (notice.rendered_sealed === null) {
      work.change<typeof notices>(notice, { rendered_sealed, address_sealed });
      work.change<typeof customerMessages>(message, { masked });
    }
    return {
      value: {
        rendered: notice.rendered_sealed ?? rendered_sealed,
        address: notice.address_sealed ?? address_sealed,
      },
    };
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
  { db, pool, vault, engine, texts }: Wording,
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
    .select(['c.email', 'c.paper_since', 't.name', 't.settings'])
    .executeTakeFirst();
  if (!found || found.email === null) return null;
  const { kind, email } = found;
  const contents = await texts[kind]?.({ db, pool }, tenantId, found);
  if (!contents) return null;
  const brand = brandOfTenant(tenantId, found);
  const locale = null;
  const place = noticeSeal(id);
  const input: Kept = {
    id,
    rendered_sealed: vault.seal(tenantId, place, renderMessage(contents, { locale, brand })),
    address_sealed: vault.seal(tenantId, place, email),
    masked: maskedEmail(email),
  };
  const { body } = await engine.submit(keepWords, { tenantId, input });
  const kept = JSON.parse(body) as { readonly rendered: string; readonly address: string };
  const rendered = vault.open(tenantId, place, kept.rendered) as RenderedMessage;
  const address = String(vault.open(tenantId, place, kept.address));
  const data = { source: found.source_id };
  const of = { id, tenantId, template: kind, locale, brand, data, rendered } as const;
  const message = { ...of, to: { email: address }, expiresAt: null };
  return { message, isOnPaper: isOnPaper(found) };
}
