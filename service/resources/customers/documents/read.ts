import { createHash } from 'node:crypto';
import { saysLongerPeriods } from '@tenant-payments/contract/core/disclosures.ts';
import type { DocumentType, LegalText } from '@tenant-payments/contract/resources/documents.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { readColumns, shown } from '@tenant-payments/engine/table.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../database.ts';
import type { ReadContext } from '../../../read_context.ts';
import { type HeldDocument, readDocumentsOf } from '../read.ts';
import { documents, legalTexts, legalTextView } from './table.ts';

interface Named {
  readonly document_type: DocumentType;
  readonly version: string;
}

/** Reads the texts of these versions, in the order in which they are named. */
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

/** The digest of a text, which shows later that nobody has changed it: SHA-256 of title, a line break and text. */
const digestOf = (title: string, text: string): string =>
  createHash('sha256').update(`${title}\n${text}`).digest('hex');

/** The evidence of a consent (rules/documents#35). */
function consentOf(row: HeldDocument, { title, text }: LegalText) {
  const { effective_at, shown_at, accepted_in, paper_since, document_type } = row;
  return {
    effective_at,
    accepted_in,
    sample_opened_at: shown_at,
    paper_since: document_type === 'esign_consent' ? paper_since : null,
    sha256: { en: digestOf(title.en, text.en), es: digestOf(title.es, text.es) },
  };
}

/**
 * GET /portal/api/customers/{id}/documents: each with what its customer read and the evidence of the consent, on request
 * with the superseded ones.
 * @throws ApiError not_found
 */
export async function listCustomerDocuments(
  context: ReadContext,
  input: { id: string; include?: 'superseded' },
): Promise<Page<object>> {
  const rows = await readDocumentsOf(context, input);
  const named = rows.map((row) => shown(documents, row));
  const texts = await readLegalTexts(context.db, context.tenantId, named);
  return wholeList(
    rows.map((row, index) => {
      const legal_text = texts[index];
      assert(legal_text, 'each version has its text');
      return { ...named[index], ...consentOf(row, legal_text), legal_text };
    }),
  );
}

/** Whether longer periods for new accounts may be used of a customer, and since when. */
export interface LongerPeriods {
  readonly areSaid: boolean;
  /** When the version began to hold that said them first; null: the customer began with it. */
  readonly from: Instant | null;
}

interface AcceptedTerms {
  readonly en: string;
  readonly es: string;
  readonly from: Instant | null;
  /** Its notice waits, or is a person's task: it does not hold yet. */
  readonly is_untold: boolean;
}

/**
 * Whether the terms that a customer accepted say the longer periods for new accounts, without which they are not used
 * (rules/documents#26). A version that says them first is used from its day on, one that says them no more at once.
 */
export async function readLongerPeriods(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<LongerPeriods> {
  const { rows } = await sql<AcceptedTerms>`
    select t.text_en as en, t.text_es as es, d.effective_at as from,
        d.effective_at > d.created_at and exists (select from notices n
          where n.tenant_id = d.tenant_id and n.source_id = d.id
            and n.status in ('waiting', 'task')) as is_untold
      from documents d
      join legal_texts t on t.tenant_id = d.tenant_id and t.document_type = d.document_type
        and t.document_version = d.document_version
    where d.tenant_id = ${tenantId} and d.customer_id = ${customerId}
      and d.document_type = 'digital_account_terms' and d.accepted_at is not null
    order by d.accepted_at desc, d.id desc`.execute(db);
  const used = rows.filter((text) => !text.is_untold || !saysLongerPeriods(text));
  const silent = used.findIndex((text) => !saysLongerPeriods(text));
  const saying = silent === -1 ? used : used.slice(0, silent);
  return { areSaid: saying.length > 0, from: saying.at(-1)?.from ?? null };
}
