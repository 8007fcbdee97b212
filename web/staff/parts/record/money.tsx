import { Anchor, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TimelineRow } from '@tenant-payments/backoffice/contract/records/records.ts';
import { useTenant } from '../../api/queries.ts';
import { holds, useSession } from '../../api/session.tsx';
import { Cents } from '../cents.tsx';
import { PlainTable } from '../plain_table.tsx';
import { RecordLink } from '../record_link.tsx';
import { inWords } from '../tell.ts';
import { When } from '../when.tsx';

type Entry = Extract<TimelineRow, { kind: 'entry' }>;

interface Movement {
  readonly recipe: string;
  readonly at: string;
  readonly lines: { readonly entry: Entry; readonly total: number }[];
}

/** The lines of each recipe with what they add up to so far; the first movement first. */
export function movementsOf(rows: readonly TimelineRow[]): Movement[] {
  const movements = new Map<string, Movement>();
  const entries = rows.filter((row): row is Entry => row.kind === 'entry');
  // The account that pays stands first, as a credit comes out of a debit.
  for (const entry of entries
    .toReversed()
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.delta - b.delta))) {
    const key = `${entry.at} ${entry.step}`;
    const movement = movements.get(key) ?? { recipe: entry.step, at: entry.at, lines: [] };
    const total = (movement.lines.at(-1)?.total ?? 0) + entry.delta;
    movement.lines.push({ entry, total });
    movements.set(key, movement);
  }
  return [...movements.values()];
}

/**
 * The money that a record has moved, recipe by recipe: each recipe's running total ends at zero.
 */
export function Money({
  id,
  rows,
}: {
  readonly id: string;
  readonly rows: readonly TimelineRow[];
}) {
  const mayRead = holds(useSession(), ['finance', 'support']);
  // The console has no page of the ledger.
  const isInPortal = useTenant() === null;
  const movements = movementsOf(rows);
  if (movements.length === 0) return null;
  return (
    <section aria-labelledby="money">
      <Title order={2} size="h4" id="money" mb="xs">
        Money
      </Title>
      <PlainTable
        label="Ledger entries"
        columns={['Recipe', 'Account', 'Debit', 'Credit', 'Running total']}
        right={['Debit', 'Credit', 'Running total']}
      >
        {movements.flatMap(({ recipe, at, lines }) =>
          lines.map(({ entry: { account_id, pocket, delta }, total }, index) => (
            // A line has no id of its own.
            <Table.Tr key={`${at} ${recipe} ${String(index)}`}>
              {index === 0 && (
                <Table.Td rowSpan={lines.length} className="starts">
                  <Text size="sm" fw={600}>
                    {inWords(recipe)}
                  </Text>
                  <Text size="xs" c="dimmed" component="div">
                    <When at={at} />
                  </Text>
                </Table.Td>
              )}
              <Table.Td>
                {account_id === null ? (
                  <Text size="sm">tenant</Text>
                ) : (
                  <RecordLink id={account_id} />
                )}
                <Text size="xs" c="dimmed">
                  {inWords(pocket)}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{delta < 0 && <Cents value={-delta} />}</Table.Td>
              <Table.Td ta="right">{delta > 0 && <Cents value={delta} />}</Table.Td>
              <Table.Td ta="right" fw={index === lines.length - 1 ? 700 : undefined}>
                <Cents value={total} />
              </Table.Td>
            </Table.Tr>
          )),
        )}
      </PlainTable>
      {mayRead && isInPortal && (
        <Anchor component={Link} to="/ledger" search={{ source_id: id } as never} size="sm">
          In the ledger
        </Anchor>
      )}
    </section>
  );
}
