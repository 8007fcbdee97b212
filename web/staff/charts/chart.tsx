import { Anchor, Button, Group, Skeleton, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { PlainTable } from '../parts/plain_table.tsx';
import { Bars, chartHeight } from './bars.tsx';
import { columnOf, figureOf } from './figures.ts';
import type { ChartProps } from './props.ts';
import { useScales } from './use_scales.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** The sums of the series in words: `12 answered, 1 refused`. */
const inWords = ({ series, unit }: Pick<ChartProps, 'series' | 'unit'>): string =>
  series.map(({ name, values }) => `${figureOf(sumOf(values), unit)} ${name}`).join(', ');

const zones = { hour: 'hours of your time zone', day: 'days of Eastern Time' } as const;

/** Counts or money by hour or day as stacked columns, each a link to its list, with a table of the same figures. */
export function Chart(props: ChartProps) {
  const { label, span, step, series, unit, children } = props;
  const [isTable, setTable] = useState(false);
  const scales = useScales();
  const id = useId();
  return (
    <figure className="chart" aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <div>
          <Title order={2} size="h4" id={id}>
            {label}
          </Title>
          <Text size="sm" c="dimmed">{`${inWords({ series, unit })} in the ${span}`}</Text>
        </div>
        <Button
          size="compact-xs"
          variant="default"
          className="fixed"
          aria-pressed={isTable}
          aria-label={`${label} as a table`}
          onClick={() => setTable(!isTable)}
        >
          Table
        </Button>
      </Group>
      {isTable || scales === null ? (
        <Figures {...props} />
      ) : scales === undefined ? (
        <Skeleton height={chartHeight} role="status" aria-label={`Loading: ${label}`} />
      ) : (
        <Bars {...props} scales={scales} />
      )}
      <figcaption>
        {series.map(({ name, shade }) => (
          <span key={name} className={`chart-key is-${shade}`}>
            {name}
          </span>
        ))}
        <span>{zones[step]}</span>
      </figcaption>
      {children}
    </figure>
  );
}

/** The same figures in rows, the newest first. */
const Figures = ({ label, step, unit, columns, series, wayOf }: ChartProps) => (
  <div className="chart-table">
    <PlainTable
      label={label}
      columns={[step === 'hour' ? 'Hour' : 'Day', ...series.map(({ name }) => name)]}
      right={series.map(({ name }) => name)}
    >
      {columns
        .map((column, at) => (
          <Table.Tr key={column}>
            <Table.Td>
              <Anchor component={Link} {...(wayOf(column) as object)} size="sm">
                {columnOf(column, step)}
              </Anchor>
            </Table.Td>
            {series.map(({ name, values }) => (
              <Table.Td key={name} ta="right" className="figures">
                {figureOf(values[at] ?? 0, unit)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))
        .reverse()}
    </PlainTable>
  </div>
);
