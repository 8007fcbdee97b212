import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { fieldOf } from '@tenant-payments/contract/core/fields/records.ts';
import { ChangeTable } from '../../staff/parts/change_table.tsx';
import { personIn } from './words.ts';

interface ChangesTableProps {
  readonly request: PlatformApproval;
  /** For a screen reader; tables of one page differ in it. */
  readonly label: string;
}

/** What an act on the platform changes, before and after. */
export const ChangesTable = ({ request, label }: ChangesTableProps) => (
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
);
