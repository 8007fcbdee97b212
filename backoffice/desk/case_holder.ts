import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { PrepareContext } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type Kysely, sql } from 'kysely';
import { platform } from '../people/scope.ts';
import type { CaseCheck, LoadedCase, Names } from '../review/case_check.ts';
import type { Waiting } from '../review/queues.ts';
import { isDeskResource, sources } from './sources.ts';
import { type CaseRow, reviewCases } from './table.ts';

/** Everybody who can have a case of the Tenant, or has one. */
export async function namesOfStaff(
  db: Kysely<Database>,
  { tenantId }: Pick<PrepareContext, 'tenantId'>,
): Promise<Names> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from control.people
    where id in (select person_id from control.roles where scope = ${platform}
      union all select assigned_to from review_cases where tenant_id = ${tenantId})`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A case with its whole row. */
export interface DeskCase extends LoadedCase {
  readonly row: CaseRow | null;
}

/**
 * The record is read with its case: who takes it changes the record's revision, so that a decision at
 * the same time is made again. @returns null for what can be no case
 */
export async function loadCase(read: Read, resource: string, id: string): Promise<DeskCase | null> {
  if (!isDeskResource(resource)) return null;
  const [record, row] = await Promise.all([
    read.maybe<AnyTable>(sources[resource].table, id),
    read.maybe(reviewCases, { resource, record_id: id }),
  ]);
  return { resource, record, row };
}

export const statusOf = ({ record }: LoadedCase): string | null => record && String(record.status);

/** The refusal of what only the person may do who has the case. */
export const takenByAnother = (found: LoadedCase, holder: string, names: Names) =>
  fail('invalid_state', {
    details: {
      current_status: statusOf(found),
      allowed: [],
      reason: 'taken',
      assigned_to: { id: holder, name: names.get(holder) ?? '' },
    },
    message: 'another person has taken this case',
  });

/** The other person who has a case; null: nobody, or the caller. A program is never stopped. */
export const otherHolder = (
  { personId }: Pick<Actor, 'personId'>,
  row: Pick<CaseRow, 'assigned_to'> | null,
): string | null =>
  personId === null || !row || row.assigned_to === personId ? null : row.assigned_to;

export const openCaseCheck = ({ db, clocks }: Pick<Service, 'db' | 'clocks'>): CaseCheck => ({
  prepare: async (context, resource) =>
    context.actor.personId !== null && isDeskResource(resource)
      ? namesOfStaff(db, context)
      : new Map(),
  load: loadCase,
  assert(actor, found, names) {
    if (!found?.record || !isDeskResource(found.resource)) return;
    const holder = otherHolder(actor, found.row);
    const record = found.record as unknown as Waiting;
    const realNow = instantOf(clocks.realNow());
    if (holder !== null && sources[found.resource].waits(record, realNow))
      throw takenByAnother(found, holder, names);
  },
});
