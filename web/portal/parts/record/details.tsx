import { Code, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Cents } from '../../../staff/parts/cents.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { RecordLink } from './record_link.tsx';

/** Shown elsewhere on the page. */
const elsewhere = new Set(['id', 'object', 'status']);
const id = /^[a-z]+_[0-9a-f]{32}$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const cents = /(^|_)(amount|balance)$/;

function shown(name: string, value: unknown): ReactNode {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return cents.test(name) ? <Cents value={value} /> : <span className="figures">{value}</span>;
  const text = String(value);
  if (id.test(text)) return <RecordLink id={text} />;
  if (instant.test(text)) return <When at={text} />;
  return name.endsWith('_code') ? <Code>{text}</Code> : text;
}

/** The fields of a record that are set, each as what it is. */
export function Details({ record }: { readonly record: Readonly<Record<string, unknown>> }) {
  const rows = Object.entries(record)
    .filter(([name, value]) => !elsewhere.has(name) && value !== null && typeof value !== 'object')
    .map(([name, value]) => [name.replaceAll('_', ' '), shown(name, value)] as const);
  return (
    <section aria-labelledby="details">
      <Title order={2} size="h4" id="details" mb="xs">
        Details
      </Title>
      <Facts rows={rows} />
    </section>
  );
}
