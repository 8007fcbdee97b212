import { saysLongerPeriods } from '@tenant-payments/contract/core/disclosures.ts';
import type { DocumentType, LegalText } from '@tenant-payments/contract/resources/documents.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { readColumns } from '@tenant-payments/engine/table.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../database.ts';
import type { ReadContext } from '../../../read_context.ts';
import { listEachDocument } from '../read.ts';
import { legalTexts, legalTextView } from './table.ts';

interface Named {
  readonly document_type: DocumentType;
  readonly version: string;
}

/** What these versions say, in the order in which they are named. */
export async function readLegalTexts(
  db: Kysely<Database>,
  tenantId: string,
  named: readonly Named[],
): Promise<LegalText[]> {
  if (named.length === 0) return [];
  const rows = await db
    .selectFrom('legal_texts')
    .where('tenant_id', '=', tenantId)
    .where((where) =>
      where.or(
        named.map(({ document_type, version }) =>
          where.and({ document_type, document_version: version }),
        ),
      ),
    )
    .select(readColumns(legalTexts))
    .execute();
  return named.flatMap(({ document_type: type, version }) =>
    rows
      .filter((row) => row.document_type === type && row.document_version === version)
      .map(legalTextView),
  );
}

/** GET /portal/api/legal-texts (rules/documents#18). */
export async function listLegalTexts(
  { db, tenantId }: Pick<ReadContext, 'db' | 'tenantId'>,
  { document_type, version }: { document_type?: string; version?: string | undefined },
): Promise<Page<LegalText>> {
  let found = db.selectFrom('legal_texts').where('tenant_id', '=', tenantId);
  if (document_type !== undefined)
    found = found.where('document_type', '=', document_type as DocumentType);
  if (version !== undefined) found = found.where('document_version', '=', version);
  const rows = await found
    .select(readColumns(legalTexts))
    .orderBy('document_version', 'desc')
    .orderBy('document_type')
    .execute();
  return wholeList(rows.map(legalTextView));
}

/**
 * GET /portal/api/customers/{id}/documents: each with what its customer read, on request with the
 * superseded ones.
 * @throws ApiError not_found
 */
export async function listCustomerDocuments(
  context: ReadContext,
  input: { id: string; include?: 'superseded' },
): Promise<Page<object>> {
  const { data } = await listEachDocument(context, input);
  const texts = await readLegalTexts(context.db, context.tenantId, data);
  return wholeList(data.map((document, index) => ({ ...document, legal_text: texts[index] })));
}

/**
 * Whether the terms that a customer accepted say the longer periods for new accounts, without which they are not used
 * (rules/documents#26).
 */
export async function readSaysLongerPeriods(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<boolean> {
  const { rows } = await sql<{ en: string; es: string }>`
    select t.text_en as en, t.text_es as es from documents d
      join legal_texts t on t.tenant_id = d.tenant_id and t.document_type = d.document_type
        and t.document_version = d.document_version
    where d.tenant_id = ${tenantId} and d.customer_id = ${customerId}
      and d.document_type = 'digital_account_terms' and d.accepted_at is not null
    order by d.accepted_at desc, d.id desc limit 1`.execute(db);
  const [text] = rows;
  return text !== undefined && saysLongerPeriods(text);
}
