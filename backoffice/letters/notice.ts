import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { SettingsRow } from '@tenant-payments/engine/settings.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { renderMessage } from '@tenant-payments/service/rails/mail/render.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { brandOfTenant } from '@tenant-payments/service/resources/customers/messages/worded.ts';
import {
  type NoticeRow,
  noticeSeal,
  notices,
  noticeView,
} from '@tenant-payments/service/resources/customers/notices/table.ts';
import {
  isOfOtherDay,
  type KeptWords,
} from '@tenant-payments/service/resources/customers/notices/worded.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { NoticeWords } from '../contract/records/messages.ts';
import { noticeTexts } from './notice_texts.ts';

type Reading = Pick<Service, 'vault' | 'db' | 'pool' | 'clocks'>;

/**
 * The words of a notice that a person gives: where days in them count from its giving, those of the day on which it is
 * given, or else of today. A mail stays as it was sent.
 */
async function wordsOf(
  { vault, ...reading }: Reading,
  tenantId: string,
  row: NoticeRow & SettingsRow,
  rendered: string,
) {
  const kept = vault.open(tenantId, noticeSeal(row.id), rendered) as KeptWords;
  const isByPerson = row.status === 'task' || row.status === 'done';
  const contents = isByPerson ? await noticeTexts[row.kind]?.(reading, tenantId, row) : null;
  if (!contents || !isOfOtherDay(kept, contents)) return kept;
  const brand = brandOfTenant(tenantId, row);
  return { ...renderMessage(contents, { locale: null, brand }), day: contents.day };
}

/**
 * GET /portal/api/notices/{id}: a notice as it is given; `said` is null before that, and once it is kept no longer
 * (rules/messages#15).
 * @throws ApiError not_found
 */
export const getNotice =
  (service: Reading) =>
  async ({ db, tenantId }: ReadContext, { id }: { readonly id: string }): Promise<NoticeWords> => {
    const { rows } = await sql<NoticeRow & SettingsRow>`select ${sql.raw(columnList(notices))},
        t.name, t.settings from notices join (select name, settings from tenants
          where tenant_id = ${tenantId}) t on true
      where tenant_id = ${tenantId} and id = ${uuidOf('notice', id)}`.execute(db);
    const [row] = rows;
    if (!row) throw fail('not_found', { param: 'id' });
    const notice = noticeView(row);
    const { rendered_sealed, address_sealed } = row;
    if (rendered_sealed === null || address_sealed === null)
      return { object: 'notice_words', notice, give_today: false, said: null };
    const { subject, text, html, day } = await wordsOf(service, tenantId, row, rendered_sealed);
    const to = String(service.vault.open(tenantId, noticeSeal(row.id), address_sealed));
    const give_today = row.status === 'task' && day !== undefined;
    return { object: 'notice_words', notice, give_today, said: { to, subject, text, html } };
  };
