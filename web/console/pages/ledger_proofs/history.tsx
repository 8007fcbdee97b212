import { Button, Code, Group, List, Skeleton, Table, Text } from '@mantine/core';
import { type ItemOf, usePages } from '../../../staff/api/queries.ts';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { counted } from '../../../staff/parts/tell.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { Acknowledged } from './acknowledged.tsx';

const list = 'GET /portal/api/ledger/proofs';
type Row = ItemOf<typeof list>;

interface RowProps {
  readonly row: Row;
}

const everyMs = 10_000;
const causes: Readonly<Record<Row['cause'], string>> = {
  night: 'Nightly',
  person: 'On request',
};

/** The proofs of one ledger, newest first. */
export function History() {
  const pages = usePages(list, {}, false, everyMs);
  const { data, error, isPending, hasNextPage } = pages;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Section
      title="Proofs"
      text="Newest first; what is asked for twice within a minute is kept once."
    >
      {error && <Trouble error={error} onRetry={() => void pages.refetch()} />}
      {isPending && <Skeleton height={120} role="status" aria-label="Loading" />}
      {data && rows.length === 0 && <Text size="sm">This ledger was not proven yet.</Text>}
      {rows.length > 0 && (
        <PlainTable
          label="Proofs by time"
          columns={['At', 'Result', 'From', 'Rows', 'Took', 'Cause']}
          right={['Rows']}
        >
          {rows.map((row) => (
            <ProofRow key={row.id} row={row} />
          ))}
        </PlainTable>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Section>
  );
}

function ProofRow({ row }: RowProps) {
  const { at, ok, found, violations, checked, duration_ms, cause, since_checkpoint } = row;
  return (
    <Table.Tr>
      <Table.Td>
        <When at={at} />
      </Table.Td>
      <Table.Td>
        <Mark tone={ok ? 'good' : 'bad'} text={ok ? 'ok' : counted(found, 'violation')} />
        {violations.length > 0 && <Violations row={row} />}
        <Acknowledged row={row} />
      </Table.Td>
      <Table.Td>
        {since_checkpoint === null ? 'The first entry' : `Checkpoint ${since_checkpoint}`}
      </Table.Td>
      <Table.Td ta="right">{checked.toLocaleString('en-US')}</Table.Td>
      <Table.Td>{`${(duration_ms / 1_000).toFixed(1)} s`}</Table.Td>
      <Table.Td>{causes[cause]}</Table.Td>
    </Table.Tr>
  );
}

const listed = 20;

function Violations({ row: { violations } }: RowProps) {
  const more = violations.length - listed;
  return (
    <List size="xs" mt={4}>
      {violations.slice(0, listed).map(({ invariant, subject, message, acknowledged }) => (
        <List.Item key={`${invariant} ${subject} ${message}`} className="breaks">
          <Code>{invariant}</Code> <RecordLink id={subject} isBare />: {message}
          {acknowledged !== undefined && ' (acknowledged)'}
        </List.Item>
      ))}
      {more > 0 && <List.Item>{`and ${more} more`}</List.Item>}
    </List>
  );
}
