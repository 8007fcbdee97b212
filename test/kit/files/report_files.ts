import type { TestServer } from '../server.ts';

/** A row of the file, by the names of its columns. */
export type FileRow = Readonly<Record<string, string>>;

export interface ReportFile {
  readonly text: string;
  readonly header: readonly string[];
  readonly rows: readonly FileRow[];
  /** The cells of the last line, by name. */
  readonly trailer: Readonly<Record<string, string | number>>;
}

/** An address of the service under test as this machine reaches it: it listens on 127.0.0.1 alone. */
export const reachable = ({ baseUrl }: Pick<TestServer, 'baseUrl'>, url: string): string =>
  baseUrl + new URL(url).pathname;

/** Reads a report's file as a program does that splits lines at commas. @throws when it is not whole */
export async function fileOf(test: Pick<TestServer, 'baseUrl'>, url: string): Promise<ReportFile> {
  const response = await fetch(reachable(test, url));
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no end');
  const [header = [], ...cells] = lines.map((line) => line.split(','));
  const last = cells.pop() ?? [];
  if (last[0] !== '#TOTALS') throw new Error('the file has no totals');
  for (const row of [...cells, last])
    if (row.length !== header.length) throw new Error(`${row.length} cells: ${row}`);
  const rows = cells.map((row) =>
    Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])),
  );
  const trailer = Object.fromEntries(
    // The cell of a column without a total is empty.
    last
      .slice(1)
      .filter(Boolean)
      .map((cell) => {
        const [name = '', value = ''] = cell.split('=');
        return [name, name === 'business_date' ? value : Number(value)];
      }),
  );
  return { text, header, rows, trailer };
}

/** The totals of a report, added up anew from nothing but the rows of its file. */
export function readdedFrom(rows: readonly FileRow[]) {
  const signed = ({ direction, net_amount }: FileRow) =>
    Number(net_amount) * (direction === 'credit' ? 1 : -1);
  const sum = (value: (row: FileRow) => number, ...types: string[]) =>
    rows.filter(({ type = '' }) => types.includes(type)).reduce((all, row) => all + value(row), 0);
  const gross = ({ amount }: FileRow) => Number(amount);
  const customers = rows.filter(({ account_id }) => account_id !== 'fee_clearing');
  return {
    loads: sum(gross, 'load'),
    payments: sum(gross, 'payment_received'),
    withdrawals: sum(gross, 'withdrawal'),
    refunds: sum(gross, 'refund_sent'),
    fees: sum(signed, 'platform_fee', 'tenant_fee'),
    adjustments: sum(signed, 'adjustment', 'dispute_credit', 'dispute_reversal'),
    fee_clearing_swept: -sum(signed, 'platform_fee_swept', 'tenant_fee_swept'),
    change: customers.reduce((all, row) => all + signed(row), 0),
  };
}
