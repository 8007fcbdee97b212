import { documentTypes } from '@tenant-payments/contract/resources/documents.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';

/** The version of every document until another is published. */
export const firstVersion = '2026-01';

/** A new tenant begins with the samples as its first versions (rules/documents#14). */
export async function publishSamples(
  connection: Queryable,
  tenantId: string,
  now: Instant,
): Promise<void> {
  const columns = documentTypes.map((type) => [
    type,
    english[type].title,
    spanish[type].title,
    english[type].text,
    spanish[type].text,
  ]);
  const [types, ...texts] = [0, 1, 2, 3, 4].map((at) => columns.map((row) => row[at]));
  await connection.query(
    `insert into legal_texts (tenant_id, document_type, document_version, title_en, title_es, text_en,
        text_es, published_at)
      select $1, t.type, $2, t.title_en, t.title_es, t.text_en, t.text_es, $3
      from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        t(type, title_en, title_es, text_en, text_es)`,
    [tenantId, firstVersion, now, types, ...texts],
  );
}
