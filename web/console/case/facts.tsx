import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Cents } from '../../staff/parts/cents.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';
import { askedFor } from '../approvals/words.ts';
import { type CaseRecord, suspenseReasons, whyByHand } from '../desk/what.ts';
import { capitalized } from '../desk/words.ts';
import { CaseLink } from './case_link.tsx';
import { deadlineWords } from './deadlines.ts';
import { Who } from './who.tsx';

/** A fact of a record, in words; a row without a value is left out. */
export type FactRow = readonly [string, ReactNode];
type Of<Kind extends CaseRecord['object']> = Extract<CaseRecord, { object: Kind }>;

const yesNo = (is: boolean) => (is ? 'Yes' : 'No');
const id = (value: string | null) => value && <RecordLink id={value} />;
const cents = (value: number | null) => value !== null && <Cents value={value} />;
const when = (at: string | null) => at && <When at={at} />;
const who = (actor: string | null) => actor && <Who actor={actor} />;
const words = (name: string | null) => name && capitalized(inWords(name));

/**
 * The facts by which a customer is told from others and asked on the telephone, then the state of
 * the checks.
 */
const profileRows = (record: Of<'customer'>): FactRow[] => [
  ['Legal name', record.business?.legal_name],
  ['Trading name', record.business?.trading_name],
  ['Email', record.email],
  ['Mobile number', record.mobile_number_last4 && `Ends in ${record.mobile_number_last4}`],
  ["Tenant's reference", record.external_ref],
  ['Industry', words(record.business?.industry ?? null)],
  ['Owners', words(record.business?.owners_status ?? null)],
  ['Verification changed', when(record.verification.updated_at)],
  ['May apply again', when(record.verification.retry_available_at)],
  ['PIN locked', yesNo(record.pin_locked)],
];

const ofCustomer = (record: Of<'customer'>): FactRow[] => [
  ['Type', words(record.type)],
  ...profileRows(record),
  ['Customer since', when(record.created_at)],
];

const ofOwner = (record: Of<'owner'>): FactRow[] => [
  ['Name', record.name],
  ['Role', words(record.role)],
  ['Owns', record.ownership_percent !== null && `${record.ownership_percent}%`],
  ['Invited', when(record.invited_at)],
  ['Business', id(record.customer_id)],
];

const ofLink = ({ capabilities: can, ...record }: Of<'linked_account'>): FactRow[] => [
  ['Bank', record.institution_name],
  ['Bank account', `${capitalized(record.account_type)} …${record.account_mask}`],
  ['Customer is called', record.holder_match?.customer_name],
  ['Holders at the bank', record.holder_match?.holders.join('; ') || null],
  [
    'Names agree by',
    record.holder_match &&
      record.holder_match.score !== null &&
      `${record.holder_match.score} of 100`,
  ],
  ['Can withdraw', yesNo(can.withdrawal)],
  ['Can load', yesNo(can.load)],
  ['Can pay by bank', yesNo(can.pay_by_bank)],
  ['Withdrawals held until', when(record.withdrawal_hold_until)],
  ['Failure', words(record.failure_code)],
  ['Linked', when(record.created_at)],
  ['Customer', id(record.customer_id)],
];

const ofAccount = (record: Of<'account'>): FactRow[] => [
  ['Type', words(record.type)],
  ['Waits for', words(record.waits_for)],
  ['Until', when(record.waits_until)],
  ['Opened', when(record.opened_at)],
  ['Account', id(record.id)],
  ['Customer', id(record.customer_id)],
];

const ofDispute = (record: Of<'dispute'>): FactRow[] => [
  ['Type', words(record.type)],
  [
    'Handled as',
    (record.handled_as ?? record.type) !== record.type && words(record.handled_as ?? null),
  ],
  [
    'The words speak of',
    record.suggested_type &&
      `${capitalized(inWords(record.suggested_type))}: look whether the type is right`,
  ],
  ["Customer's words", record.description],
  ['Disputed', cents(record.disputed_amount) || 'Not known'],
  ['Provisional credit', cents(record.provisional_credit_amount)],
  ['Award', cents(record.award_amount)],
  ['Taken back', record.taken_back_amount > 0 && cents(record.taken_back_amount)],
  ['Earmarked', record.earmarked_amount > 0 && cents(record.earmarked_amount)],
  ['Who bears an award', words(record.liability)],
  ['Regulation E', record.regulation_e ? 'Applies' : 'Does not apply'],
  ['Liability', record.liability_limited && 'Limited by 12 CFR 1005.6'],
  ['Customer bears', cents(record.customer_bears_amount)],
  ['Limit', words(record.liability_tier)],
  [
    'Answered before',
    record.reasserted_of && (
      <CaseLink key="answered" resource="disputes" id={record.reasserted_of} />
    ),
  ],
  ['Opened again', when(record.reopened_at)],
  ['Documents given', when(record.papers_given_at)],
  ['Delay accepted', record.extenuating && 'Yes'],
  ['Notice received', when(record.notice_received_at)],
  ['Notice late', record.late_notice && `by ${record.late_notice_days} days`],
  ['Forwarded late', record.forwarded_late && `by ${record.forwarded_late_days} days`],
  ['Outcome', words(record.outcome)],
  ['First notice', id(record.linked_dispute_id)],
  ['Payment', id(record.payment_id)],
  ['Transaction', id(record.transaction_id)],
];

const ofSuspense = (record: Of<'suspense'>): FactRow[] => [
  ['Amount', cents(record.amount)],
  ['Why', suspenseReasons[record.reason]],
  [
    record.source_type === null ? 'Record' : `The ${inWords(record.source_type)}`,
    id(record.source_id),
  ],
  ['Most likely of', id(record.account_id) || 'Nobody known'],
  ['Came from', id(record.linked_account_id)],
  ['Received', when(record.created_at)],
];

const ofMessage = (record: Of<'bank_message'>): FactRow[] => [
  ['The bank reported', words(record.outcome)],
  ['Amount', cents(record.amount)],
  ['Reason code', record.network_reason_code && <Code>{record.network_reason_code}</Code>],
  ['Refused by', words(record.said_by)],
  ["Bank's words", record.said_text],
  ["Bank's reference", record.reference],
  [`The ${inWords(record.source_type)}`, id(record.source_id)],
  ['Its status then', <StateBadge key="status" state={record.record_status} />],
  [
    'Its money',
    record.suspense_id && <CaseLink key="money" resource="suspense" id={record.suspense_id} />,
  ],
  ['Heard', when(record.created_at)],
];

const ofReturnRequest = (record: Of<'return_request'>): FactRow[] => [
  ['Asked back', cents(record.amount)],
  ['Reason', <Code key="reason">{record.reason}</Code>],
  ["Other bank's words", record.text],
  ['Answer by', when(record.answer_by)],
  [
    record.source_type === null ? 'Record' : `The ${inWords(record.source_type)}`,
    id(record.source_id) || 'None of this tenant',
  ],
  ['Account', id(record.account_id)],
  ["Bank's reference", record.reference],
  ['Given back', cents(record.accepted_amount)],
  ['The other bank is told', record.answer_text],
  ['The bank knows it', record.told && tellings[record.told]],
  ['Heard', when(record.created_at)],
  ['Answered', when(record.answered_at)],
];
const ofNotice = (record: Of<'notice'>): FactRow[] => [
  ['Notice', words(record.kind)],
  ['Of', words(record.detail)],
  [
    'About',
    record.kind === 'dispute_letter' && record.source_id ? (
      <CaseLink key="about" resource="disputes" id={record.source_id} />
    ) : (
      id(record.source_id)
    ),
  ],
  ['Why a person', record.task_reason && whyByHand(record)],
  ['Written', when(record.created_at)],
  ['Given', when(record.sent_at)],
  ['Since', when(record.task_at)],
  ['Given by a person', when(record.done_at)],
  ['How', record.done_note],
];
const tellings = { waiting: 'Not yet', told: 'Yes', by_hand: 'A person must tell it' } as const;

const ofApproval = (record: Of<'approval'>): FactRow[] => [
  ['Asked for', askedFor(record)],
  ['Document', record.resource === 'documents' && words(record.record_id)],
  ['Version', record.body.version],
  ['What was found', record.body.finding],
  ['Customer bears', cents(record.body.customer_bears ?? null)],
  ['Handled as', words(record.body.handled_as ?? null)],
  ['Amount', cents(record.amount)],
  ['Note of the maker', record.note],
  ['Asked by', who(record.maker)],
  ['Asked', when(record.created_at)],
  ['First approver', who(record.first_approver)],
  ['Decided by', who(record.decided_by)],
  ['Note of the decision', record.decision_note],
  [
    'Record',
    record.resource !== 'settings' && (
      <CaseLink key="record" resource={record.resource} id={record.record_id} />
    ),
  ],
];

function ofRecord(record: CaseRecord): FactRow[] {
  switch (record.object) {
    case 'customer':
      return ofCustomer(record);
    case 'owner':
      return ofOwner(record);
    case 'linked_account':
      return ofLink(record);
    case 'account':
      return ofAccount(record);
    case 'dispute':
      return ofDispute(record);
    case 'suspense':
      return ofSuspense(record);
    case 'bank_message':
      return ofMessage(record);
    case 'return_request':
      return ofReturnRequest(record);
    case 'notice':
      return ofNotice(record);
    case 'approval':
      return ofApproval(record);
  }
}

const isGiven = ([, value]: FactRow) =>
  value !== null && value !== undefined && value !== false && value !== '';

/** The facts of a record that are set. */
export const factsOf = (record: CaseRecord): FactRow[] => ofRecord(record).filter(isGiven);

/** The facts of a customer besides those that the head of the page tells. @param name of the head */
export const profileOf = (record: Of<'customer'>, name: string): FactRow[] =>
  profileRows(record).filter((row) => isGiven(row) && row[1] !== name);

/** The open deadlines of a dispute, the first one first. */
export const deadlinesOf = ({ deadlines }: Of<'dispute'>): (readonly [string, string])[] =>
  Object.entries(deadlineWords)
    .flatMap(([name, text]) => {
      const at = deadlines[name as keyof typeof deadlines];
      return at === null ? [] : [[text, at] as const];
    })
    .sort(([, a], [, b]) => (a < b ? -1 : 1));

/** A text that stands where there is nothing to list. */
export const Nothing = ({ text }: { readonly text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
);
