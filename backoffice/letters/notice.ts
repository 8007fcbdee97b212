import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { RenderedMessage } from '@tenant-payments/service/rails/messages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  type NoticeRow,
  noticeSeal,
  notices,
  noticeView,
} from '@tenant-payments/service/resources/customers/notices/table.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { NoticeWords } from '../contract/records/messages.ts';

/**
 * GET /portal/api/notices/{id}: a notice as it was sent; `said` is null before that, and once it is kept no longer
 * (rules/messages#15).
 * @throws ApiError not_found
 */
export const getNotice =
  ({ vault }: Pick<Service, 'vault'>) =>
  async ({ db, tenantId }: ReadContext, { id }: { readonly id: string }): Promise<NoticeWords> => {
    const { rows } = await sql<NoticeRow>`select ${sql.raw(columnList(notices))} from notices
      where tenant_id = ${tenantId} and id = ${uuidOf('notice', id)}`.execute(db);
    const [row] = rows;
    if (!row) throw fail('not_found', { param: 'id' });
    const notice = noticeView(row);
    const { rendered_sealed, address_sealed } = row;
    if (rendered_sealed === null || address_sealed === null)
      return { object: 'notice_words', notice, said: null };
    const place = noticeSeal(row.id);
    const { subject, text, html } = vault.open(tenantId, place, rendered_sealed) as RenderedMessage;
    const to = String(vault.open(tenantId, place, address_sealed));
    return { object: 'notice_words', notice, said: { to, subject, text, html } };
  };
