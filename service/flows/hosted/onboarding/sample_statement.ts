import { institutionOf } from '@tenant-payments/contract/core/institutions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import type { FindDownload } from '../../../http/files/downloads.ts';
import { openSlots } from '../../../http/files/downloads.ts';
import type { DocumentRow } from '../../../resources/customers/documents/table.ts';
import type { CustomerRow } from '../../../resources/customers/table.ts';
import { type ProgressRow, sessionProgress } from '../../../resources/sessions/progress.ts';
import type { Content } from '../../../resources/statements/content.ts';
import { statementPdf } from '../../../resources/statements/pdf.ts';
import type { Service } from '../../../service.ts';
import { refusal } from '../session.ts';

/** Notes that the applicant of a session has opened the sample [15 USC 7001(c)(1)(C)(ii)]. */
const noteOpened = command('note_sample_opened', {
  load: (read, { sessionId }: { readonly sessionId: string }) =>
    read.maybe(sessionProgress, sessionId),
  decide: (work, progress) => {
    if (!progress) throw fail('not_found');
    if (progress.sample_opened_at === null) work.change(progress, { sample_opened_at: work.now });
    return { value: null };
  },
});

/** Whoever consents to electronic records for the first time has opened one. @throws ApiError invalid_state */
export function assertSampleOpened(
  { type }: Pick<CustomerRow, 'type'>,
  held: readonly Pick<DocumentRow, 'document_type'>[],
  { sample_opened_at }: Pick<ProgressRow, 'sample_opened_at'>,
): void {
  const consents = held.every(({ document_type }) => document_type !== 'esign_consent');
  if (type === 'individual' && consents && sample_opened_at === null)
    throw refusal('sample_not_opened');
}

const statement: Content['statement'] = {
  id: '00000000-0000-7000-8000-000000000000',
  account_id: '00000000-0000-7000-8000-000000000000',
  period_start: '2026-01-01',
  period_end: '2026-01-31',
  opening_balance: 0,
  closing_balance: 37_50,
  download_url: '',
  download_url_expires_at: '2026-02-01T11:00:00.000Z',
  available_at: '2026-02-01T11:00:00.000Z',
  updated_at: '2026-02-01T11:00:00.000Z',
  version: 1,
};

const sums = {
  transactions: 2,
  summed: false,
  credits: 50_00,
  debits: 12_50,
  fees: 0,
  feesOfYear: 0,
};

const lines: Content['lines'] = [
  { day: '2026-01-05', type: 'load', detail: 'Sample Bank 1234', net: 50_00, fee: 0 },
  { day: '2026-01-09', type: 'payment_sent', detail: 'Sample Shop', net: -12_50, fee: 0 },
];

/**
 * A sample statement for the applicant of a session, whose id names it. Opening it is noted, and is what shows
 * that the applicant can read electronic records (rules/documents#33).
 */
export function openSampleStatement({
  downloadPool,
  engine,
}: Pick<Service, 'downloadPool' | 'engine'>): FindDownload {
  const hold = openSlots();
  return async (tenantId, sessionId, language) => {
    const { rows } = await downloadPool.query(
      'select name, settings from tenants where tenant_id = $1',
      [tenantId],
    );
    const [tenant] = rows;
    if (!tenant) return null;
    const settings = settingsOf(tenantId, tenant);
    const content: Content = {
      ...sums,
      statement,
      issuer: settings.branding.name,
      institution: institutionOf(settings),
      holder: 'Sam Sample',
      isIndividual: true,
      lines,
      isSample: true,
    };
    return {
      contentType: 'application/pdf',
      fileName: 'sample-statement.pdf',
      async open() {
        await engine.submit(noteOpened, { tenantId, input: { sessionId } });
        return hold(tenantId, () => statementPdf(content, language));
      },
    };
  };
}
