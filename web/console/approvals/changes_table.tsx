import { Table } from '@mantine/core';
import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { capitalized } from '../desk/words.ts';

type Value = NonNullable<PlatformApproval['effect']>['changes'][number]['before'];

/** As it is: an address or an issuer must be read letter by letter. */
function shown(value: Value): string {
  if (value === null) return 'none';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

interface ChangesTableProps {
  readonly request: PlatformApproval;
  /** For a screen reader; tables of one page differ in it. */
  readonly label: string;
}

/** What an act on the platform changes, before and after. */
export function ChangesTable({ request, label }: ChangesTableProps) {
  const changes = request.effect?.changes ?? [];
  if (changes.length === 0) return null;
  return (
    <PlainTable label={label} columns={['What changes', 'Before', 'After']}>
      {changes.map(({ object, field, before, after }) => (
        <Table.Tr key={`${object} ${field}`}>
          <Table.Td>{capitalized(inWords(field))}</Table.Td>
          <Table.Td className="letters">{shown(before)}</Table.Td>
          <Table.Td className="letters">{shown(after)}</Table.Td>
        </Table.Tr>
      ))}
    </PlainTable>
  );
}
