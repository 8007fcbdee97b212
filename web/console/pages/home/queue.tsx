import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DeskSummary } from '@tenant-payments/backoffice/contract/operate/attention.ts';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { lengthOf } from '../../../staff/parts/tell.ts';
import { kinds as names } from '../../desk/words.ts';

type Kind = DeskSummary['kinds'][number];

/** How long cases wait, by kind. */
export const Queue = ({ kinds }: Pick<DeskSummary, 'kinds'>) => (
  <Section title="Waiting on the desk">
    {kinds.length === 0 ? (
      <Text size="sm" c="dimmed">
        Nothing waits.
      </Text>
    ) : (
      <PlainTable
        label="Cases by kind"
        columns={['Kind', 'Waiting', 'Late', 'Oldest waits']}
        right={['Waiting', 'Late']}
      >
        {kinds.map((kind) => (
          <Row key={kind.resource} {...kind} />
        ))}
      </PlainTable>
    )}
  </Section>
);

const Row = ({ resource, waiting, is_more, late, oldest_seconds }: Kind) => (
  <Table.Tr>
    <Table.Td>
      <Anchor component={Link} to="/desk" search={{ resource } as never} size="sm">
        {names[resource]}
      </Anchor>
    </Table.Td>
    <Table.Td ta="right" className="figures">
      {`${waiting.toLocaleString('en-US')}${is_more ? '+' : ''}`}
    </Table.Td>
    <Table.Td ta="right" className="figures">
      {late === 0 ? (
        0
      ) : (
        <Anchor component={Link} to="/desk" search={{ resource, late: 'yes' } as never} size="sm">
          <span className="is-late">{late.toLocaleString('en-US')}</span>
        </Anchor>
      )}
    </Table.Td>
    <Table.Td>{lengthOf(oldest_seconds * 1_000)}</Table.Td>
  </Table.Tr>
);
