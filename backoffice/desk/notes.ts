import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { columnList, type RowOf } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { addCaseNote as contract } from '../contract/operate/desk.ts';
import { loadCase, namesOfStaff } from './case_holder.ts';
import { type CasePath, caseIn } from './sources.ts';
import { reviewNotes } from './table.ts';

type NoteRow = RowOf<typeof reviewNotes>;

/** The name of who did something; the kind of caller where it is no person. */
export const nameOf = (operator: string, name: string | null | undefined): string =>
  name ?? operator.split(' ', 1)[0] ?? '';

const noteView = ({ id, text, author, created_at }: NoteRow, name?: string | null) => ({
  id,
  object: 'case_note' as const,
  text,
  by: nameOf(author, name),
  created_at,
});

/** The notes of a case, oldest first. */
export async function readNotes(
  { tenantId, db }: Pick<ReadContext, 'tenantId' | 'db'>,
  { resource, id }: CasePath,
) {
  const { rows } = await sql<NoteRow & { name: string | null }>`
    select ${sql.raw(columnList(reviewNotes, 'n'))}, p.name from review_notes n left join control.people p
      on n.author = 'person ' || p.id
    where n.tenant_id = ${tenantId} and n.resource = ${resource} and n.record_id = ${id}
    order by n.created_at, n.id`.execute(db);
  return rows.map((row) => noteView(row, row.name));
}

/**
 * POST /portal/api/cases/{resource}/{id}/notes (rules/review#36). The audit names the note alone.
 * @throws ApiError not_found
 */
export const addCaseNote = ({ db, clocks }: Pick<Service, 'db' | 'clocks'>) =>
  command('add_case_note', {
    prepare: (_input: CasePath & BodyOf<typeof contract>, context) => namesOfStaff(db, context),
    load: async (read, input) => {
      const { resource, id } = caseIn(input);
      const found = await loadCase(read, resource, id);
      if (!found?.record) throw fail('not_found', { param: 'id' });
      return { resource, id };
    },
    decide: (work, { resource, id }, { id: record, text }, names) => {
      const { actor } = work;
      const row = work.create(reviewNotes, {
        id: work.newId(),
        resource,
        record_id: id,
        author: actorName(actor),
        text,
        created_at: instantOf(clocks.realNow()),
      });
      work.audit({ act: 'addCaseNote', record, after: { resource, note: row.id } });
      return { value: noteView(row, actor.kind === 'person' ? names.get(actor.id) : null) };
    },
  });
