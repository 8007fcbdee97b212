import type { AccessNotes } from '@tenant-payments/service/http/files/access.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { noteTenants } from '../access/note_tenants.ts';
import { type DeskCase, listDesk } from '../contract/operate/desk.ts';
import { type CsvColumn, dollars } from '../files/list_file.ts';

/** Fields by which a record names whom it is about. */
interface Named {
  readonly business?: { readonly legal_name?: string | null } | null;
  readonly name?: string;
  readonly email?: string;
  readonly institution_name?: string;
}

function nameOf({ record }: DeskCase): string | undefined {
  const { business, name, email, institution_name } = record as Named;
  return business?.legal_name ?? name ?? email ?? institution_name;
}

const columns: readonly CsvColumn<DeskCase>[] = [
  { name: 'Tenant', cell: ({ tenant_name }) => tenant_name },
  { name: 'Kind', cell: ({ resource }) => resource.replaceAll('-', ' ') },
  { name: 'Name', cell: nameOf },
  { name: 'Amount', cell: ({ amount }) => dollars(amount) },
  { name: 'Due', cell: ({ due_at }) => due_at },
  { name: 'Late', cell: ({ late }) => (late ? 'yes' : null) },
  { name: 'Taken by', cell: ({ assigned_to }) => assigned_to?.name },
  { name: 'Waiting since', cell: ({ waiting_since }) => waiting_since },
  { name: 'Id', cell: ({ id }) => id },
];

/**
 * The waiting cases as a file: it names people, so it leaves a row with each Tenant whose cases it
 * has (rules/audit#20).
 */
export const deskFile = (note: AccessNotes) => ({
  name: 'desk',
  columns,
  async rowsOf(context: ReadContext, items: object[]): Promise<DeskCase[]> {
    const cases = items as DeskCase[];
    const what = { kind: 'export', record: listDesk.id } as const;
    await noteTenants(
      note,
      context,
      what,
      cases.map(({ tenant_id }) => tenant_id),
    );
    return cases;
  },
});
