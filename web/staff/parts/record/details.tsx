import { Code, Title } from '@mantine/core';
import { recordField } from '@tenant-payments/contract/core/fields/records.ts';
import type { ReactNode } from 'react';
import { Cents } from '../cents.tsx';
import { Value } from '../change_table.tsx';
import { useClock } from '../clock.tsx';
import { Deadline } from '../deadline.tsx';
import { Facts } from '../facts.tsx';
import { RecordLink } from '../record_link.tsx';

/** Shown elsewhere on the page. */
const elsewhere = new Set(['id', 'object', 'status']);

function shown(name: string, value: unknown): ReactNode {
  const field = recordField(name, value);
  if (typeof value === 'number' && field.kind === 'money') return <Cents value={value} />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name.endsWith('_code')) return <Code>{String(value)}</Code>;
  return <Value field={field} value={value} showRecord={(id) => <RecordLink id={id} />} />;
}

/** A fee as the API lists it. */
interface Fee {
  readonly type: string;
  readonly amount: number;
  readonly paid_by: string;
}

/** The fees of a payment, each with who bears it. */
const feeRows = (fees: unknown): (readonly [string, ReactNode])[] =>
  (Array.isArray(fees) ? (fees as readonly Fee[]) : []).map(({ type, amount, paid_by }) => [
    `Fee of the ${type}`,
    <>
      <Cents value={amount} />, paid by the {paid_by}
    </>,
  ]);

/** The deadlines of a dispute that are set, in the bank's zone. */
function useDeadlines(deadlines: unknown): (readonly [string, ReactNode])[] {
  const { now } = useClock(false);
  if (typeof deadlines !== 'object' || deadlines === null) return [];
  return Object.entries(deadlines as Readonly<Record<string, string | null>>).flatMap(
    ([name, at]) =>
      at === null
        ? []
        : [[recordField(name).label, <Deadline key={name} at={at} now={now} />] as const],
  );
}

/** A length of time: none is not told, as the switch beside it says so. */
const isLength = ({ kind }: ReturnType<typeof recordField>) =>
  ['seconds', 'minutes', 'hours', 'days'].includes(kind);

/** The fields of a record that are set, each as what it is. */
export function Details({ record }: { readonly record: Readonly<Record<string, unknown>> }) {
  const rows = Object.entries(record)
    .filter(([name, value]) => !elsewhere.has(name) && value !== null && typeof value !== 'object')
    .filter(([name, value]) => value !== 0 || !isLength(recordField(name, value)))
    .map(([name, value]) => [recordField(name, value).label, shown(name, value)] as const);
  return (
    <section aria-labelledby="details">
      <Title order={2} size="h4" id="details" mb="xs">
        Details
      </Title>
      <Facts rows={[...rows, ...useDeadlines(record.deadlines), ...feeRows(record.fees)]} />
    </section>
  );
}
