import { Anchor } from '@mantine/core';
import { Cents } from '../../../staff/parts/cents.tsx';
import { Balance, Label, Name } from '../../../staff/parts/face.tsx';
import type { Column } from '../../../staff/parts/list_table.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { ShortId } from '../../../staff/parts/short_id.tsx';
import { StateBadge } from '../../../staff/parts/state_badge.tsx';
import { inWords } from '../../../staff/parts/tell.ts';
import { When } from '../../../staff/parts/when.tsx';
import type { ListName } from './lists.ts';

/** A record of any list: its fields as the API shows them. */
export type Listed = Readonly<Record<string, unknown>>;
export type ListedColumn = Column<Listed>;

const text = (value: unknown): string => (value == null ? '' : String(value));
const plain = (value: unknown): string => inWords(text(value));

/** A text as the record has it, or its words without underscores. */
const words = (name: string, of: (record: Listed) => unknown): ListedColumn => ({
  name,
  show: (record) => plain(of(record)),
});
const asIs = (name: string, field: string): ListedColumn => ({
  name,
  priority: 3,
  show: (record) => text(record[field]),
});
const at = (name: string, field: string): ListedColumn => ({
  name,
  kind: 'time',
  show: ({ [field]: time }) => (typeof time === 'string' ? <When at={time} /> : ''),
});
const cents = (name: string, of: (record: Listed) => unknown): ListedColumn => ({
  name,
  show: (record) => {
    const value = of(record);
    return typeof value === 'number' ? <Cents value={value} /> : '';
  },
  align: 'right',
  kind: 'money',
});
/** Money beside that by which a record is known: it folds sooner. */
const beside = (column: ListedColumn): ListedColumn => ({ ...column, priority: 2 });
const link = (name: string, field: string): ListedColumn => ({
  name,
  show: ({ [field]: id }) => (typeof id === 'string' ? <RecordLink id={id} isBare /> : ''),
});

/** The address of a file opens it for some minutes; whoever may not open it has none. */
const file = (name: string, format: string, of: (record: Listed) => unknown): ListedColumn => ({
  name,
  width: 64,
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

const resourceOf = ({ object }: Listed): string => text(object);
const state: ListedColumn = {
  name: 'State',
  kind: 'state',
  show: (record) => (
    <StateBadge
      state={text(record.status ?? inside(record, 'verification', 'status'))}
      resource={resourceOf(record)}
    />
  ),
};
const type: ListedColumn = { ...words('Type', ({ type, flow }) => type ?? flow), width: 116 };
const amount = cents('Amount', ({ amount }) => amount);
const failure = words('Failure', ({ failure_code }) => failure_code);
const created = at('Created', 'created_at');
const id: ListedColumn = {
  name: 'Id',
  kind: 'id',
  show: (record) => <ShortId id={text(record.id)} />,
};
/** The column with whom it is about; the list leads from here to the record. */
const party = (name: string): ListedColumn => ({
  name,
  show: (record) => <Name id={text(record.id)} />,
});
const bank: ListedColumn = { name: 'Bank', show: (record) => <Label id={text(record.id)} /> };
const total = (name: string, field: string) =>
  beside(cents(name, (record) => inside(record, 'totals', field)));

/** The columns of each list, by its name in the address: names and money first, the id last. */
export const columnsOf: Readonly<Record<ListName, readonly ListedColumn[]>> = {
  customers: [party('Customer'), state, type, asIs('Your reference', 'external_ref'), created, id],
  accounts: [
    party('Holder'),
    { ...cents('Balance', () => null), show: (record) => <Balance id={text(record.id)} /> },
    state,
    type,
    at('Opened', 'opened_at'),
    id,
  ],
  'linked-accounts': [party('Customer'), bank, state, failure, created, id],
  payments: [
    party('Payer and payee'),
    amount,
    state,
    beside(cents('Refunded', ({ refunded_amount }) => refunded_amount || null)),
    { ...words('From', ({ source }) => source), width: 90 },
    asIs('Order', 'order_reference'),
    created,
    id,
  ],
  'payment-requests': [
    party('Merchant'),
    amount,
    state,
    type,
    asIs('Order', 'order_reference'),
    created,
    id,
  ],
  loads: [party('Customer'), amount, state, bank, failure, created, id],
  withdrawals: [party('Customer'), amount, state, bank, failure, created, id],
  refunds: [
    party('Merchant and payer'),
    amount,
    state,
    words('To', ({ destination }) => destination),
    link('Payment', 'payment_id'),
    created,
    id,
  ],
  disputes: [
    party('Customer'),
    cents('Disputed', ({ disputed_amount }) => disputed_amount),
    state,
    type,
    beside(cents('Awarded', ({ award_amount }) => award_amount)),
    created,
    id,
  ],
  sessions: [
    party('Customer'),
    words('Flow', ({ flow }) => flow),
    state,
    { name: 'Confirms', show: (row) => targetOf(row) },
    created,
    id,
  ],
  statements: [
    party('Holder'),
    {
      name: 'Period',
      show: (row) => `${text(row.period_start)} to ${text(row.period_end)}`,
      width: 190,
      priority: 1,
    },
    cents('Opening', ({ opening_balance }) => opening_balance),
    cents('Closing', ({ closing_balance }) => closing_balance),
    file('File', 'PDF', ({ download_url }) => download_url),
    id,
  ],
  reports: [
    { name: 'Day', show: ({ date }) => text(date), width: 116 },
    cents('Opening', ({ opening_balance }) => opening_balance),
    total('Loads', 'loads'),
    total('Payments', 'payments'),
    total('Withdrawals', 'withdrawals'),
    total('Refunds', 'refunds'),
    total('Fees', 'fees'),
    total('Adjustments', 'adjustments'),
    cents('Closing', ({ closing_balance }) => closing_balance),
    {
      name: 'Postings',
      show: ({ postings_count }) => text(postings_count),
      align: 'right',
      kind: 'number',
      priority: 3,
    },
    file('File', 'CSV', (record) => inside(record, 'file', 'download_url')),
  ],
};

function targetOf(record: Listed) {
  const target = inside(record, 'target', 'id');
  return typeof target === 'string' ? <RecordLink id={target} isBare /> : '';
}
