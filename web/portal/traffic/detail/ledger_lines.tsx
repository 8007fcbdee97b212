import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../staff/api/call.ts';
import { Cents } from '../../../staff/parts/cents.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { Section } from './section.tsx';

/** A record, and the instant at which it changed. */
export interface Moment {
  readonly recordId: string;
  readonly at: string;
}

/** More records are not read for one drawer. */
const maximumRecords = 10;

/**
 * The ledger's lines that were booked with these changes: those of the records at just these
 * instants.
 */
export function LedgerLines({ moments }: { readonly moments: readonly Moment[] }) {
  const ids = [...new Set(moments.map(({ recordId }) => recordId))].slice(0, maximumRecords);
  const { data, error, refetch } = useQuery({
    queryKey: ['GET /portal/api/records/:id', 'several', ids],
    queryFn: ({ signal }) =>
      Promise.all(ids.map((id) => call('GET /portal/api/records/:id', { id }, { signal }))),
  });
  const instants = new Set(moments.map(({ recordId, at }) => `${recordId} ${at}`));
  const lines = (data ?? []).flatMap(({ id: recordId, timeline }) =>
    timeline.flatMap((row) =>
      row.kind === 'entry' && instants.has(`${recordId} ${row.at}`) ? { ...row, recordId } : [],
    ),
  );
  return (
    <Section title="Ledger lines">
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data && lines.length === 0 && (
        <Text size="sm" c="dimmed">
          It moved no money
        </Text>
      )}
      {lines.length > 0 && (
        <PlainTable
          label="Booked lines"
          columns={['Record', 'Step', 'Pocket', 'Amount']}
          right={['Amount']}
        >
          {lines.map(({ id, recordId, step, pocket, delta }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <RecordLink id={recordId} />
              </Table.Td>
              <Table.Td>{step.replaceAll('_', ' ')}</Table.Td>
              <Table.Td>{pocket.replaceAll('_', ' ')}</Table.Td>
              <Table.Td ta="right">
                <Cents value={delta} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}
