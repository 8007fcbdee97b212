import type { Face } from '../../contract/records/faces.ts';
import { type CsvColumn, dollars, inWords } from '../../files/list_file.ts';

/** A record as the API shows it. */
type Shown = Readonly<Record<string, unknown>>;

/** A record with what it is about, both as the reader may see them. */
export interface Faced {
  readonly record: Shown;
  readonly face: Face | undefined;
}
type Column = CsvColumn<Faced>;

const field = (name: string, from: string): Column => ({
  name,
  cell: ({ record: { [from]: value } }) => value,
});
const words = (name: string, ...from: readonly string[]): Column => ({
  name,
  cell: ({ record }) => inWords(from.map((one) => record[one]).find((value) => value != null)),
});
const money = (name: string, from: string): Column => ({
  name,
  cell: ({ record: { [from]: cents } }) => dollars(cents),
});

/** A file has a column for each side of a record. */
const party = (name: string): Column => ({
  name,
  cell: ({ face }) => face?.party?.display_name,
});
const other = (name: string): Column => ({ name, cell: ({ face }) => face?.other?.display_name });
const bank: Column = { name: 'Bank', cell: ({ face }) => face?.institution_name };
const state = words('State', 'status');
const amount = money('Amount', 'amount');
const created = field('Created', 'created_at');
const id = field('Id', 'id');
const failure = words('Failure', 'failure_code');
const verified: Column = {
  name: 'State',
  cell: ({ record: { verification } }) => inWords((verification as Shown | null)?.status),
};
const type = words('Type', 'type', 'flow');

/** The columns of each list's file, by the name of its table. */
export const csvColumns: Readonly<Record<string, readonly Column[]>> = {
  customers: [
    party('Customer'),
    verified,
    type,
    field('Your reference', 'external_ref'),
    created,
    id,
  ],
  accounts: [
    party('Holder'),
    { name: 'Balance', cell: ({ face }) => dollars(face?.amount) },
    state,
    type,
    field('Opened', 'opened_at'),
    id,
  ],
  linked_accounts: [party('Customer'), bank, state, failure, created, id],
  payments: [
    party('Payer'),
    other('Payee'),
    amount,
    state,
    money('Refunded', 'refunded_amount'),
    words('From', 'source'),
    field('Order', 'order_reference'),
    created,
    id,
  ],
  payment_requests: [
    party('Merchant'),
    amount,
    state,
    type,
    field('Order', 'order_reference'),
    created,
    id,
  ],
  loads: [party('Customer'), amount, state, bank, failure, created, id],
  withdrawals: [party('Customer'), amount, state, bank, failure, created, id],
  refunds: [
    party('Merchant'),
    other('Payer'),
    amount,
    state,
    words('To', 'destination'),
    field('Payment', 'payment_id'),
    created,
    id,
  ],
  disputes: [
    party('Customer'),
    money('Disputed', 'disputed_amount'),
    state,
    type,
    money('Awarded', 'award_amount'),
    created,
    id,
  ],
  sessions: [
    party('Customer'),
    words('Flow', 'flow'),
    state,
    {
      name: 'Confirms',
      cell: ({ record: { target } }) => (target as Shown | null)?.id,
    },
    created,
    id,
  ],
};
