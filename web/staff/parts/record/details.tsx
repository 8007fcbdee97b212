import { Code, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Cents } from '../cents.tsx';
import { useClock } from '../clock.tsx';
import { Deadline } from '../deadline.tsx';
import { Facts } from '../facts.tsx';
import { RecordLink } from '../record_link.tsx';
import { inWords } from '../tell.ts';
import { When } from '../when.tsx';

/** Shown elsewhere on the page. */
const elsewhere = new Set(['id', 'object', 'status']);
const id = /^[a-z]+_[0-9a-f]{32}$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** A word of a closed list: `consumer_to_merchant`. */
const word = /^[a-z]+(_[a-z]+)+$/;
const cents = /(^|_)(amount|balance)$/;

function shown(name: string, value: unknown): ReactNode {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return cents.test(name) ? <Cents value={value} /> : <span className="figures">{value}</span>;
  const text = String(value);
  if (id.test(text)) return <RecordLink id={text} />;
  if (instant.test(text)) return <When at={text} />;
  if (name.endsWith('_code')) return <Code>{text}</Code>;
  return word.test(text) ? inWords(text) : text;
}

/** A field as people call it: `payer_customer_id` as `Payer customer`. */
function labelOf(name: string): string {
  const said = inWords(name.replace(/_id$/, ''));
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
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
      at === null ? [] : [[labelOf(name), <Deadline key={name} at={at} now={now} />] as const],
  );
}

/** The fields of a record that are set, each as what it is. */
export function Details({ record }: { readonly record: Readonly<Record<string, unknown>> }) {
  const rows = Object.entries(record)
    .filter(([name, value]) => !elsewhere.has(name) && value !== null && typeof value !== 'object')
    .map(([name, value]) => [labelOf(name), shown(name, value)] as const);
  return (
    <section aria-labelledby="details">
      <Title order={2} size="h4" id="details" mb="xs">
        Details
      </Title>
      <Facts rows={[...rows, ...useDeadlines(record.deadlines), ...feeRows(record.fees)]} />
    </section>
  );
}
