import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { ClockFacts } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { type RawBuilder, sql } from 'kysely';
import { isMaker } from '../approvals/decide.ts';
import type { ApprovalRow } from '../approvals/table.ts';
import type { DeskCase, DeskResource } from '../contract/operate/desk.ts';
import type { MoveTable } from '../review/move.ts';
import { movesOf, type Waiting } from '../review/queues.ts';
import { type DeskSource, sources } from './sources.ts';

/** A record with what the desk adds to it. */
export type DeskRow = Waiting & {
  readonly tenant_id: string;
  readonly due_at: Instant | null;
  readonly assigned_to: string | null;
  readonly assigned_name: string | null;
  readonly assigned_at: Instant | null;
  readonly notes_count: number;
};

/** The Tenant of a case, and its time now. */
export interface DeskTenant extends ClockFacts {
  readonly tenant_id: string;
  readonly name: string;
  readonly now: Instant;
}

/** The person at the desk, and the time. */
export interface Desk {
  readonly actor: Actor;
  readonly realNow: Instant;
  readonly table: MoveTable;
}

/** Records of a resource as `t`, without a condition. */
export function selectCases(resource: DeskResource): RawBuilder<unknown> {
  const { table, since, due, computed } = sources[resource];
  return sql`select ${sql.raw(columnList(table, 't'))}${computed}, ${sql.ref(`t.${since}`)} as waiting_since, ${due} as due_at,
      c.assigned_to, p.name as assigned_name, c.assigned_at,
      (select count(*)::int from review_notes n where n.tenant_id = t.tenant_id
        and n.resource = ${resource} and n.record_id = t.id) as notes_count
    from ${sql.table(table.name)} t
      left join review_cases c on c.tenant_id = t.tenant_id and c.resource = ${resource}
        and c.record_id = t.id
      left join control.people p on p.id = c.assigned_to`;
}

const decisions = ['approve', 'refuse'];

/** The moves that this caller can make of a record now. */
function movesFor(resource: DeskResource, row: DeskRow, { actor, table, realNow }: Desk): string[] {
  const source = sources[resource];
  const reviewed = table[resource];
  if (reviewed) return movesOf(source, reviewed, row);
  if (!source.waits(row, realNow)) return [];
  return isMaker(actor, row as unknown as ApprovalRow) ? [] : decisions;
}

const isLate = ({ isRealTime }: DeskSource, due: Instant | null, tenant: DeskTenant, desk: Desk) =>
  due !== null && due <= (isRealTime ? desk.realNow : tenant.now);

/** The fields that a case shows in the list and in its file. */
export function caseFields(
  resource: DeskResource,
  row: DeskRow,
  tenant: DeskTenant,
  desk: Desk,
): Omit<DeskCase, 'object' | 'record'> {
  const source = sources[resource];
  const waits = source.waits(row, desk.realNow);
  const due = waits ? row.due_at : null;
  return {
    tenant_id: tenant.tenant_id,
    tenant_name: tenant.name,
    resource,
    id: publicId(source.kind, row.id),
    waiting_since: waits ? row.waiting_since : null,
    due_at: due,
    late: isLate(source, due, tenant, desk),
    amount: source.amountOf(row),
    assigned_to:
      row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name ?? '' },
    assigned_at: row.assigned_at,
    notes_count: row.notes_count,
    moves: movesFor(resource, row, desk),
  };
}
