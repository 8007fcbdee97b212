import type { SuccessOf } from '@tenant-payments/contract/core/endpoint.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { readDocuments as contract } from '@tenant-payments/contract/hosted/flows.ts';
import { openDownloadLinks } from '../../../http/files/download_links.ts';
import { readLegalTexts } from '../../../resources/customers/documents/read.ts';
import type { Service } from '../../../service.ts';
import { readView, type Viewing } from './view.ts';

/** From when on each version that waits holds for the session's customer (rules/documents#32). */
async function readEffective({ db }: Viewing, tenantId: string, sessionId: string) {
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('documents as d', (join) =>
      join
        .onRef('d.tenant_id', '=', 's.tenant_id')
        .onRef('d.customer_id', '=', 's.customer_id')
        .on('d.status', '=', 'pending_acceptance'),
    )
    .where('s.tenant_id', '=', tenantId)
    .where('s.id', '=', sessionId)
    .select(['d.document_type', 'd.effective_at'])
    .execute();
  return new Map(rows.map(({ document_type, effective_at }) => [document_type, effective_at]));
}

/** The texts of the documents that a session shows (rules/documents#17). */
export async function readDocuments(
  service: Viewing & Pick<Service, 'vault' | 'config'>,
  tenantId: string,
  sessionId: string,
): Promise<SuccessOf<typeof contract>> {
  const { onboarding, terms } = await readView(service, tenantId, sessionId);
  const named = onboarding?.documents ?? terms ?? [];
  const [texts, effective] = await Promise.all([
    readLegalTexts(service.db, tenantId, named),
    readEffective(service, tenantId, sessionId),
  ]);
  const links = openDownloadLinks(service);
  const { url } = links.to(
    { kind: 'sample_statement', tenantId, record: sessionId },
    links.expiryMs(lifetimes.onboardingOpened),
  );
  return {
    sample_statement_url: url,
    documents: texts.map((text) => ({
      ...text,
      effective_at: effective.get(text.document_type) ?? null,
    })),
    is_waiting: onboarding !== null || (terms ?? []).some(({ is_waiting }) => is_waiting),
  };
}
