import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { PortalEndpointId } from '../contract/catalog.ts';
import type { takeCase as contract } from '../contract/operate/desk.ts';
import type { Names } from '../review/case_check.ts';
import type { Waiting } from '../review/queues.ts';
import { type DeskCase, loadCase, namesOfStaff, statusOf, takenByAnother } from './case_holder.ts';
import { type CasePath, caseIn, isDeskResource, sources } from './sources.ts';
import { type CaseRow, reviewCases } from './table.ts';

type Parts = Pick<Service, 'db' | 'clocks'>;

/** @throws ApiError forbidden {reason: no_person}: a program takes nothing */
function personOf({ personId }: Actor): string {
  if (personId === null) throw fail('forbidden', { details: { reason: 'no_person' } });
  return personId;
}

/** @throws ApiError not_found */
async function load(read: Read, input: CasePath): Promise<DeskCase> {
  const { resource, id } = caseIn(input);
  const found = await loadCase(read, resource, id);
  if (!found?.record) throw fail('not_found', { param: 'id' });
  return found;
}

const refused = (found: DeskCase, reason: string) =>
  fail('invalid_state', {
    details: { current_status: statusOf(found), allowed: [], reason },
  });

/** Assigns a case: its record's revision changes with who has it (see `loadCase`). */
function assign(
  work: Work,
  input: CasePath,
  { record, row }: DeskCase,
  set: Pick<CaseRow, 'assigned_to' | 'assigned_at'>,
): CaseRow {
  if (record) work.touch<AnyTable>(record);
  const { resource, id } = caseIn(input);
  return row
    ? work.change<typeof reviewCases>(row, set)
    : work.create(reviewCases, { resource, record_id: id, ...set });
}

const assignmentView = ({ assigned_to, assigned_at }: CaseRow, names: Names) => ({
  object: 'case_assignment',
  assigned_to: assigned_to && { id: assigned_to, name: names.get(assigned_to) ?? '' },
  assigned_at,
});

const audit = (
  work: Work,
  act: PortalEndpointId,
  input: CasePath,
  from: string | null,
  to: CaseRow,
) =>
  work.audit({
    act,
    record: input.id,
    before: { resource: input.resource, assigned_to: from },
    after: { resource: input.resource, assigned_to: to.assigned_to },
  });

/** Whether somebody can still decide it. */
function waits({ resource, record }: DeskCase, realNow: string): boolean {
  const row = record as unknown as Waiting;
  return isDeskResource(resource) && sources[resource].waits(row, realNow);
}

/**
 * POST /portal/api/cases/{resource}/{id}/take (rules/review#32): of two who take it at once one gets it.
 * @throws ApiError not_found; forbidden {reason: no_person}; invalid_state {reason: taken}: by somebody
 *   whom `from` does not name, {reason: not_waiting}
 */
export const takeCase = (service: Parts) =>
  command('take_case', {
    prepare: (_input: CasePath & BodyOf<typeof contract>, context) =>
      namesOfStaff(service.db, context),
    load: (read, input) => load(read, input),
    decide: (work, found, input, names) => {
      const person = personOf(work.actor);
      const realNow = instantOf(service.clocks.realNow());
      const { row } = found;
      const holder = row?.assigned_to ?? null;
      const isOwn = row !== null && holder === person;
      if (holder !== null && !isOwn && holder !== input.from)
        throw takenByAnother(found, holder, names);
      if (!waits(found, realNow)) throw refused(found, 'not_waiting');
      const now = isOwn
        ? row
        : assign(work, input, found, { assigned_to: person, assigned_at: realNow });
      audit(work, 'takeCase', input, holder, now);
      return { value: assignmentView(now, names) };
    },
  });

/**
 * POST /portal/api/cases/{resource}/{id}/release: by whoever has it.
 * @throws ApiError not_found; forbidden {reason: no_person}; invalid_state {reason: not_taken}
 */
export const releaseCase = (service: Parts) =>
  command('release_case', {
    prepare: (_input: CasePath, context) => namesOfStaff(service.db, context),
    load,
    decide: (work, found, input, names) => {
      const person = personOf(work.actor);
      if (found.row?.assigned_to !== person) throw refused(found, 'not_taken');
      const now = assign(work, input, found, { assigned_to: null, assigned_at: null });
      audit(work, 'releaseCase', input, person, now);
      return { value: assignmentView(now, names) };
    },
  });
