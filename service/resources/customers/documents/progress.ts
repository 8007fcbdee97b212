import { isSampleText, lackingParts } from '@tenant-payments/contract/core/disclosures.ts';
import { type DocumentType, documentTypes } from '@tenant-payments/contract/resources/documents.ts';
import type { DocumentInForce } from '@tenant-payments/contract/resources/documents_in_force.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../database.ts';
import type { ReadContext } from '../../../read_context.ts';
import { effectiveFrom } from '../../terms/effective.ts';
import { firstVersion } from './samples/samples.ts';
import { type LegalTextRow, legalTexts } from './table.ts';

/** Less than every UUIDv7. */
export const lowestId = '00000000-0000-0000-0000-000000000000';

type Row = Omit<
  DocumentInForce,
  'object' | 'title' | 'published_at' | 'effective_at' | 'sample' | 'lacks'
> & { readonly effective_at: DocumentInForce['effective_at'] | null };

/**
 * The version in force of these documents, and what their customers accepted, for display only.
 * Acceptances alone are counted, by their index: who has accepted an earlier version only waits.
 */
async function readProgress(
  db: Kysely<Database>,
  tenantId: string,
  types: readonly DocumentType[],
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with documented as (
      select t.type, coalesce(v.in_force, ${firstVersion}) as version,
        coalesce(v.latest, ${firstVersion}) as latest, p.spread_at, p.effective_at,
        p.security_reason,
        case when p.spread_at is null and p.id is not null
          then coalesce(p.spread_to, ${lowestId}::uuid) end as asked_to
      from unnest(${types}::text[]) as t (type)
        left join document_versions v on v.tenant_id = ${tenantId} and v.document_type = t.type
        left join document_publications p on p.tenant_id = ${tenantId}
          and p.document_type = t.type and p.document_version = v.in_force
    ), counted as (
      select c.type, count(*)::integer as must_accept,
        count(*) filter (where d.document_version collate "C" < c.version)::integer as to_accept,
        count(*) filter (where d.document_version collate "C" < c.version
          and d.id > c.asked_to)::integer as not_asked
      from documented c join documents d on d.tenant_id = ${tenantId}
        and d.document_type = c.type and d.status = 'accepted'
      group by c.type
    )
    select c.type as document_type, c.version, c.latest, c.spread_at, c.effective_at,
      c.security_reason,
      coalesce(n.must_accept, 0) as must_accept,
      coalesce(n.must_accept - n.to_accept, 0) as accepted,
      coalesce(n.to_accept, 0) as to_accept, coalesce(n.not_asked, 0) as not_asked
    from documented c left join counted n on n.type = c.type`.execute(db);
  return rows;
}

/** How many customers a new version of a document would ask. */
export async function countAccepted(
  db: Kysely<Database>,
  tenantId: string,
  type: DocumentType,
): Promise<number> {
  const [row] = await readProgress(db, tenantId, [type]);
  return row?.must_accept ?? 0;
}

/** The texts of the versions in force. */
const readTextsInForce = async (db: Kysely<Database>, tenantId: string): Promise<LegalTextRow[]> =>
  (
    await sql<LegalTextRow>`
      select ${sql.raw(columnList(legalTexts, 't'))} from legal_texts t
        left join document_versions v on v.tenant_id = t.tenant_id
          and v.document_type = t.document_type
      where t.tenant_id = ${tenantId}
        and t.document_version = coalesce(v.in_force, ${firstVersion})`.execute(db)
  ).rows;

/** GET /portal/api/document-versions (rules/documents#20). */
export async function listDocumentVersions({
  db,
  tenantId,
}: Pick<ReadContext, 'db' | 'tenantId'>): Promise<Page<DocumentInForce>> {
  const [found, texts] = await Promise.all([
    readProgress(db, tenantId, documentTypes),
    readTextsInForce(db, tenantId),
  ]);
  return wholeList(
    documentTypes.flatMap((type) => {
      const row = found.find(({ document_type }) => document_type === type);
      const text = texts.find(
        ({ document_type, document_version }) =>
          document_type === type && document_version === row?.version,
      );
      if (!row || !text) return [];
      const title = { en: text.title_en, es: text.title_es };
      const said = { en: text.text_en, es: text.text_es };
      const { published_at } = text;
      const lacks = type === 'digital_account_terms' ? lackingParts(said) : [];
      const effective_at =
        row.effective_at ??
        (row.version === firstVersion ? published_at : effectiveFrom(published_at));
      const facts = { title, published_at, sample: isSampleText(said), lacks };
      return [{ object: 'document_in_force', ...facts, ...row, effective_at }];
    }),
  );
}
