import { Button, Table, Text } from '@mantine/core';
import type { Upcoming } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import { capitalized } from '@tenant-payments/contract/core/fields/field.ts';
import { useState } from 'react';
import { PlainTable, RowButton } from '../../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { When } from '../../../staff/parts/when.tsx';

interface UpcomingProps {
  readonly rows: readonly Upcoming[];
  readonly isOff: boolean;
  readonly onGo: (at: string) => void;
}

const shownFirst = 6;

/** The jobs and attempts that an advance would run, the first one first. */
export function UpcomingTable({ rows, isOff, onGo }: UpcomingProps) {
  const [isWhole, setWhole] = useState(false);
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is scheduled
      </Text>
    );
  return (
    <>
      <PlainTable
        label="What falls due next"
        columns={['When', 'What happens', 'Record']}
        hasActions
      >
        {(isWhole ? rows : rows.slice(0, shownFirst)).map(({ at, name, does, record_id }) => (
          <Table.Tr key={`${name} ${record_id} ${at}`}>
            <Table.Td>
              <When at={at} />
            </Table.Td>
            <Table.Td>{capitalized(does)}</Table.Td>
            <Table.Td>{record_id && <RecordLink id={record_id} isBare />}</Table.Td>
            <Table.Td ta="right">
              <RowButton
                text="Go there"
                label={`Move the clock to where it ${does}`}
                isBusy={false}
                isOff={isOff}
                onClick={() => onGo(at)}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      {rows.length > shownFirst && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${rows.length}`}
        </Button>
      )}
    </>
  );
}
