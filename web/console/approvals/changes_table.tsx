import { Text } from '@mantine/core';
import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { fieldOf } from '@tenant-payments/contract/core/fields/records.ts';
import { ChangeTable } from '../../staff/parts/change_table.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { personIn } from './words.ts';

interface ChangesTableProps {
  readonly request: PlatformApproval;
  /** The table's name for a screen reader; tables of one page differ in it. */
  readonly label: string;
}

/**
 * The changes of an act on the platform, before and after; an order of the bank has no name but its
 * id.
 */
export const ChangesTable = ({ request, label }: ChangesTableProps) => (
  <>
    {request.resource === 'restores' && request.move === 'settle' && (
      <Text size="sm" component="div">
        Order <ShortId id={request.record_id} />
      </Text>
    )}
    <ChangeTable
      label={label}
      nameOf={(id) => personIn(request, id)}
      changes={(request.effect?.changes ?? []).map(({ object, field, before, after }) => ({
        key: `${object} ${field}`,
        field: fieldOf(object, field, after ?? before),
        before,
        after,
      }))}
    />
  </>
);
