import type { DeskCase } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { inWords } from '../../staff/parts/tell.ts';
import { isolated } from '../../ui/isolated.ts';
import { askedFor } from '../approvals/words.ts';
import { capitalized } from './words.ts';

export type CaseRecord = DeskCase['record'];
type Suspense = Extract<CaseRecord, { object: 'suspense' }>;

/** Why money fits no record. */
export const suspenseReasons: Readonly<Record<Suspense['reason'], string>> = {
  late: 'Paid after its record had failed',
  other_amount: 'Paid another amount',
  returned: 'Sent back after it was paid out',
  undeliverable: 'No account and no bank to credit',
  paid_twice: 'Paid once more by the same request',
  unsolicited: 'Nobody had ordered it',
};

const source = (type: string) => inWords(type);

/** The title of a case, in a few words: a name where there is one. */
export function titleOf(record: CaseRecord): string {
  switch (record.object) {
    case 'customer':
      return record.business?.legal_name ?? record.email;
    case 'owner':
      return record.name;
    case 'linked_account':
      return `${isolated(record.institution_name)} …${record.account_mask}`;
    case 'account':
      return `${capitalized(record.type)} account …${record.id.slice(-6)}`;
    case 'dispute':
      return capitalized(inWords(record.type));
    case 'suspense':
      return record.source_type === null
        ? 'Money without an order'
        : `Money of a ${source(record.source_type)}`;
    case 'bank_message':
      return `Bank reports: ${record.outcome}`;
    case 'return_request':
      return `Money asked back: ${isolated(record.reason)}`;
    case 'notice':
      return capitalized(
        [record.kind, record.detail].flatMap((part) => (part ? [inWords(part)] : [])).join(': '),
      );
    case 'approval':
      return askedFor(record);
  }
}

type Notice = Extract<CaseRecord, { object: 'notice' }>;

/** Why a person must give a notice. */
export const whyByHand = ({ task_reason }: Pick<Notice, 'task_reason'>): string =>
  task_reason === 'paper'
    ? 'The customer takes no mail: send it on paper'
    : `Its mail did not arrive: ${inWords(task_reason ?? '')}`;

/** Why a case waits, in a line. */
export function reasonOf(record: CaseRecord): string {
  switch (record.object) {
    case 'customer':
      return `The checks of this ${record.type} were unclear`;
    case 'owner':
      return `The checks of this ${inWords(record.role)} were unclear`;
    case 'linked_account':
      return 'The checks of the bank account were unclear';
    case 'account':
      return record.waits_for ? `Waits for: ${inWords(record.waits_for)}` : 'Closes by itself';
    case 'dispute':
      return record.description;
    case 'suspense':
      return suspenseReasons[record.reason];
    case 'bank_message':
      return `The ${source(record.source_type)} was ${inWords(record.record_status)}`;
    case 'return_request':
      return record.text === null ? 'Another bank asks for it' : isolated(record.text);
    case 'notice':
      return whyByHand(record);
    case 'approval':
      return record.note;
  }
}
