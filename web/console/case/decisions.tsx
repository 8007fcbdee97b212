import { Table } from '@mantine/core';
import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';
import { moveName } from '../desk/words.ts';
import { CaseLink } from './case_link.tsx';
import { Nothing } from './facts.tsx';

type Decision = CaseFile['decisions'][number];

interface DecisionsProps {
  readonly title: string;
  readonly rows: readonly Decision[];
  readonly nothing: string;
  /** Whether the decisions are of other records, which are then named. */
  readonly ofOthers?: true;
}

/** The decisions of reviewers, of this case or of others. */
export const Decisions = ({ title, rows, nothing, ofOthers }: DecisionsProps) => (
  <Section title={title}>
    {rows.length === 0 ? (
      <Nothing text={nothing} />
    ) : (
      <PlainTable
        label={ofOthers ? 'Decided of other cases' : 'Decided of this case'}
        columns={['Decision', ...(ofOthers ? ['Case'] : []), 'By', 'At', 'Amount', 'Note']}
        right={['Amount']}
      >
        {rows.map((row) => (
          <Table.Tr key={`${row.id} ${row.move} ${row.at}`}>
            <Table.Td>
              {moveName(row.move)}
              {row.failure_code && ` (${inWords(row.failure_code)})`}
            </Table.Td>
            {ofOthers && (
              <Table.Td>
                <CaseLink resource={row.resource} id={row.id} />
              </Table.Td>
            )}
            <Table.Td>{row.by}</Table.Td>
            <Table.Td>
              <When at={row.at} />
            </Table.Td>
            <Table.Td ta="right">{row.amount !== null && <Cents value={row.amount} />}</Table.Td>
            <Table.Td className="note">{row.note}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    )}
  </Section>
);
