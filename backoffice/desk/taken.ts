import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { PrepareContext } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { AnyTable, RowOf } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type Kysely, sql } from 'kysely';
import { platform } from '../people/scope.ts';
import type { Waiting } from '../review/queues.ts';
import { isDeskResource, sources } from './sources.ts';
import { type CaseRow, reviewCases } from './table.ts';

/** Names by the ids of people. */
export type Names = ReadonlyMap<string, string>;

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

/** A record and who has it, as a command reads both. */
export interface LoadedCase {
  readonly resource: string;
  readonly record: RowOf<AnyTable> | null;
  readonly row: CaseRow | null;
}

/**
 * The record is read with its case: who takes it changes the record's revision, so that a decision at
 * the same time is made again. @returns null for what can be no case
 */
export async function loadCase(
  read: Read,
  resource: string,
  id: string,
): Promise<LoadedCase | null> {
  if (!isDeskResource(resource)) return null;
  const [record, row] = await Promise.all([
    read.maybe<AnyTable>(sources[resource].table, id),
    read.maybe(reviewCases, { resource, record_id: id }),
  ]);
  return { resource, record, row };
}

export const statusOf = ({ record }: LoadedCase): string | null => record && String(record.status);

/** The refusal of what only the person may do who has the case. */
export const taken = (found: LoadedCase, holder: string, names: Names) =>
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

/** What keeps others from deciding a case that somebody has taken (rules/review#33). */
export const openTakenCheck = ({ db, clocks }: Pick<Service, 'db' | 'clocks'>) => ({
  prepare: async (context: PrepareContext, resource: string): Promise<Names> =>
    context.actor.personId !== null && isDeskResource(resource)
      ? namesOfStaff(db, context)
      : new Map(),
  /** @throws ApiError invalid_state {reason: taken} while it waits */
  assert(actor: Actor, found: LoadedCase | null, names: Names): void {
    if (!found?.record || !isDeskResource(found.resource)) return;
    const holder = otherHolder(actor, found.row);
    const record = found.record as unknown as Waiting;
    const realNow = instantOf(clocks.realNow());
    if (holder !== null && sources[found.resource].waits(record, realNow))
      throw taken(found, holder, names);
  },
});
