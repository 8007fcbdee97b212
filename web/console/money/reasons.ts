import type {
  MatchProposal,
  ProposalReason,
} from '@tenant-payments/backoffice/contract/money/suspense.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import { counted, inWords } from '../../staff/parts/tell.ts';
import { isolated } from '../../ui/isolated.ts';
import { money } from '../../ui/money.ts';

type Reason = MatchProposal['reasons'][number];

const kinds = {
  load: 'load',
  wd: 'withdrawal',
  pr: 'payment request',
  pay: 'payment',
  rf: 'refund',
  dsp: 'dispute',
  la: 'bank account',
} as const;

/** The name of a record, with the end of its id: `load …3f2a1c`. */
const named = (id: string): string =>
  `${ownValue(kinds, id.split('_', 1)[0] ?? '') ?? 'record'} …${id.slice(-6)}`;

const inStatus = ({ record_status }: Reason): string =>
  record_status === null ? '' : ` (${inWords(record_status)})`;

const words: Readonly<Record<ProposalReason, (reason: Reason) => string>> = {
  named_by_bank: ({ record_id }) => `The bank named its ${named(record_id)}.`,
  same_reference: (reason) =>
    `Its ${named(reason.record_id)}${inStatus(reason)} bears the reference ${isolated(reason.reference ?? '')}.`,
  same_bank_account: () => 'It came from the bank account that this customer has linked.',
  same_amount: (reason) =>
    `Its ${named(reason.record_id)}${inStatus(reason)} is of ${money(reason.amount ?? 0, 'en')} too.`,
  near_date: ({ days_apart }) =>
    days_apart === 0 ? 'On the same day.' : `Only ${counted(days_apart ?? 0, 'day')} apart.`,
};

/** Why an account may own the money, in words. */
export const reasonInWords = (reason: Reason): string => words[reason.reason](reason);
