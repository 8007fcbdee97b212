import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import {
  type FindDownload,
  isReaderGone,
  openSlots,
} from '@tenant-payments/service/http/files/downloads.ts';
import type { Logger } from 'pino';
import type { LetterKind } from '../contract/operate/dispute_letters.ts';
import { type Letter, letterOf } from './content.ts';
import { dueOf } from './due.ts';
import { type LetterSource, readLetterFacts } from './facts.ts';
import { letterPdf } from './pdf.ts';

/** The PDFs of the letters, each written at its download (rules/disputes#45). */
export function openLetterFiles({ log, ...source }: LetterSource & { readonly log: Logger }) {
  const hold = openSlots();

  async function open(tenantId: string, record: string, letter: Letter) {
    const file = await letterPdf(letter);
    file.once('error', (error) => {
      if (isReaderGone(error)) return;
      const facts = { tenant_id: tenantId, dispute_id: record, fault: faultFacts(error) };
      log.error({ alarm: 'file', ...facts }, 'the PDF of a letter broke off');
    });
    return file;
  }

  const find =
    (kind: LetterKind): FindDownload =>
    async (tenantId, record, language) => {
      const facts = await readLetterFacts(source, tenantId, record);
      const day = facts && dueOf(facts, kind).day;
      if (!facts || day === null) return null;
      return {
        contentType: 'application/pdf',
        fileName: `${kind.replaceAll('_', '-')}-${publicId('dispute', record)}.pdf`,
        open: () =>
          hold(tenantId, () => open(tenantId, record, letterOf(facts, kind, day, language))),
      };
    };

  return {
    letter_provisional_credit: find('provisional_credit'),
    letter_correction: find('correction'),
    letter_result: find('result'),
    letter_denial: find('denial'),
    letter_late_notice: find('late_notice'),
    letter_reasserted: find('reasserted'),
  };
}
