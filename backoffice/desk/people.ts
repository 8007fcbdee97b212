import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { ApprovalRow } from '../approvals/table.ts';
import type { CaseFile } from '../contract/operate/desk.ts';
import type { DeskRow } from './rows.ts';

const start = 'person ';

/** The people whom a request for a second person names by kind and id, with their names and email addresses. */
export async function peopleIn(
  { db }: Pick<ReadContext, 'db'>,
  resource: string,
  row: DeskRow,
): Promise<CaseFile['people']> {
  if (resource !== 'approvals') return [];
  const { maker, first_approver, decider } = row as unknown as ApprovalRow;
  const ids = [maker, first_approver, decider].flatMap((actor) =>
    actor?.startsWith(start) ? [actor.slice(start.length)] : [],
  );
  const { rows } = await sql<CaseFile['people'][number]>`select id, name, email from control.people
    where id = any(${ids}::uuid[]) order by email`.execute(db);
  return rows;
}
