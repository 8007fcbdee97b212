import type { Face } from '../../contract/records/faces.ts';

/** A record as the API shows it. */
type Shown = Readonly<Record<string, unknown>>;

/** A column of a list's file: its word, as the page has it, and its cell. */
export interface CsvColumn {
  readonly name: string;
  readonly cell: (record: Shown, face: Face | undefined) => unknown;
}

/** Cents as dollars and cents: no text, which a spreadsheet would not add up, also below zero. */
export const dollars = (cents: unknown): unknown =>
  typeof cents === 'number' ? { toString: () => (cents / 100).toFixed(2) } : null;

const field = (name: string, from: string): CsvColumn => ({
  name,
  cell: ({ [from]: value }) => value,
});
const words = (name: string, ...from: readonly string[]): CsvColumn => ({
  name,
  cell: (record) =>
    String(from.map((one) => record[one]).find((value) => value != null) ?? '').replaceAll(
      '_',
      ' ',
    ),
});
const money = (name: string, from: string): CsvColumn => ({
  name,
  cell: ({ [from]: cents }) => dollars(cents),
});

/** A file has a column for each side of a record. */
const party = (name: string): CsvColumn => ({
  name,
  cell: (_, face) => face?.party?.display_name,
});
const other = (name: string): CsvColumn => ({ name, cell: (_, face) => face?.other?.display_name });
const bank: CsvColumn = { name: 'Bank', cell: (_, face) => face?.institution_name };
const state = words('State', 'status');
const amount = money('Amount', 'amount');
const created = field('Created', 'created_at');
const id = field('Id', 'id');
const failure = words('Failure', 'failure_code');
const verified: CsvColumn = {
  name: 'State',
  cell: ({ verification }) =>
    String((verification as Shown | null)?.status ?? '').replaceAll('_', ' '),
};
const type = words('Type', 'type', 'flow');

/** The columns of each list's file, by the name of its table. */
export const csvColumns: Readonly<Record<string, readonly CsvColumn[]>> = {
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
    { name: 'Balance', cell: (_, face) => dollars(face?.amount) },
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
      cell: ({ target }) => (target as Shown | null)?.id,
    },
    created,
    id,
  ],
};
