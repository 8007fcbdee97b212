import { Anchor } from '@mantine/core';
import { Cents } from '../../../staff/parts/cents.tsx';
import type { Column } from '../../../staff/parts/list_table.tsx';
import { StateBadge } from '../../../staff/parts/state_badge.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { RecordLink } from '../record/record_link.tsx';
import type { ListName } from './lists.ts';

/** A record of any list: its fields as the API shows them. */
export type Listed = Readonly<Record<string, unknown>>;
export type ListedColumn = Column<Listed>;

const text = (value: unknown): string => (value == null ? '' : String(value));
const plain = (value: unknown): string => text(value).replaceAll('_', ' ');

/** A text as the record has it, or its words without underscores. */
const words = (name: string, of: (record: Listed) => unknown): ListedColumn => ({
  name,
  show: (record) => plain(of(record)),
});
const asIs = (name: string, field: string): ListedColumn => ({
  name,
  show: (record) => text(record[field]),
});
const at = (name: string, field: string): ListedColumn => ({
  name,
  show: ({ [field]: time }) => (typeof time === 'string' ? <When at={time} /> : ''),
  width: '10rem',
});
const cents = (name: string, of: (record: Listed) => unknown): ListedColumn => ({
  name,
  show: (record) => {
    const value = of(record);
    return typeof value === 'number' ? <Cents value={value} /> : '';
  },
  align: 'right',
  width: '6rem',
});
const link = (name: string, field: string): ListedColumn => ({
  name,
  show: ({ [field]: id }) => (typeof id === 'string' ? <RecordLink id={id} /> : ''),
});

/** The address of a file opens it for some minutes; whoever may not open it has none. */
const file = (name: string, format: string, of: (record: Listed) => unknown): ListedColumn => ({
  name,
  show: (record) => {
    const address = text(of(record));
    if (!URL.canParse(address)) return '';
    return (
      <Anchor href={address} size="sm" download aria-label={`Download ${format}`}>
        {format}
      </Anchor>
    );
  },
});

const inside = (record: Listed, outer: string, field: string): unknown =>
  (record[outer] as Listed | null | undefined)?.[field];

const id: ListedColumn = { name: 'Id', show: (record) => text(record.id), width: '19rem' };
const state: ListedColumn = {
  name: 'State',
  show: (record) => (
    <StateBadge state={text(record.status ?? inside(record, 'verification', 'status'))} />
  ),
  width: '10rem',
};
const type = words('Type', ({ type, flow }) => type ?? flow);
const amount = cents('Amount', ({ amount }) => amount);
const failure = asIs('Failure', 'failure_code');
const customer = link('Customer', 'customer_id');
const made = at('Made', 'created_at');
const total = (name: string, field: string) =>
  cents(name, (record) => inside(record, 'totals', field));

/** What each list shows, by its name in the address. */
export const columnsOf: Readonly<Record<ListName, readonly ListedColumn[]>> = {
  customers: [id, state, type, asIs('Your reference', 'external_ref'), made],
  accounts: [id, state, type, customer, at('Opened', 'opened_at')],
  'linked-accounts': [
    id,
    state,
    { name: 'Bank', show: (row) => `${text(row.institution_name)} …${text(row.account_mask)}` },
    failure,
    customer,
    made,
  ],
  payments: [
    id,
    state,
    amount,
    cents('Refunded', ({ refunded_amount }) => refunded_amount || null),
    words('From', ({ source }) => source),
    asIs('Order', 'order_reference'),
    made,
  ],
  'payment-requests': [id, state, amount, type, asIs('Order', 'order_reference'), made],
  loads: [id, state, amount, failure, customer, made],
  withdrawals: [id, state, amount, failure, customer, made],
  refunds: [
    id,
    state,
    amount,
    words('To', ({ destination }) => destination),
    link('Payment', 'payment_id'),
    made,
  ],
  disputes: [
    id,
    state,
    cents('Disputed', ({ disputed_amount }) => disputed_amount),
    cents('Awarded', ({ award_amount }) => award_amount),
    type,
    customer,
    made,
  ],
  sessions: [
    id,
    state,
    words('Flow', ({ flow }) => flow),
    { name: 'Confirms', show: (row) => targetOf(row) },
    customer,
    made,
  ],
  statements: [
    id,
    { name: 'Period', show: (row) => `${text(row.period_start)} to ${text(row.period_end)}` },
    cents('Opening', ({ opening_balance }) => opening_balance),
    cents('Closing', ({ closing_balance }) => closing_balance),
    link('Account', 'account_id'),
    file('File', 'PDF', ({ download_url }) => download_url),
  ],
  reports: [
    { name: 'Day', show: ({ date }) => text(date), width: '7rem' },
    cents('Opening', ({ opening_balance }) => opening_balance),
    total('Loads', 'loads'),
    total('Payments', 'payments'),
    total('Withdrawals', 'withdrawals'),
    total('Refunds', 'refunds'),
    total('Fees', 'fees'),
    total('Adjustments', 'adjustments'),
    cents('Closing', ({ closing_balance }) => closing_balance),
    { name: 'Postings', show: ({ postings_count }) => text(postings_count), align: 'right' },
    file('File', 'CSV', (record) => inside(record, 'file', 'download_url')),
  ],
};

function targetOf(record: Listed) {
  const target = inside(record, 'target', 'id');
  return typeof target === 'string' ? <RecordLink id={target} /> : '';
}
