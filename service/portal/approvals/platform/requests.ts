import type { BodyOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { PortalEndpointId } from '@tenant-payments/contract/portal/catalog.ts';
import type { Approval } from '@tenant-payments/contract/portal/operate/approvals.ts';
import type {
  createPlatformApproval,
  listPlatformApprovals,
} from '@tenant-payments/contract/portal/operate/platform_approvals.ts';
import { type Kysely, sql } from 'kysely';
import { peerOf } from '../../../cells/peer_of.ts';
import type { Actor } from '../../../core/actor.ts';
import { ApiError, fail } from '../../../core/fail.ts';
import { ownTransaction } from '../../../core/join_transaction.ts';
import { idMaker } from '../../../core/new_id.ts';
import type { Page } from '../../../core/pages.ts';
import type { AuditAct } from '../../../core/write/flush_audit.ts';
import { securityEvent } from '../../../operations/security_events.ts';
import { appendAudit, tellAudit } from '../../../people/audit/append.ts';
import { platform } from '../../../people/scope.ts';
import type { Database } from '../../../resources/database.ts';
import type { ReadContext } from '../../../resources/read_context.ts';
import type { Service } from '../../../service.ts';
import { auditedAs } from '../acts.ts';
import { auditedApproval } from '../audit.ts';
import { newRequest } from '../create.ts';
import {
  approvalId,
  assertMayApprove,
  assertUnchanged,
  assertWaits,
  type Decision,
  ending,
  realNowOf,
} from '../decide.ts';
import { assertIndependent, dependenceOf, outlookFor } from '../independence.ts';
import { lapsedBy, type ReadApproval } from '../lapsed.ts';
import { listRequests } from '../list.ts';
import { outlook } from '../preview.ts';
import type { ApprovalRow } from '../table.ts';
import { approvalView } from '../view.ts';
import { openPlatformActs, type PlatformAct } from './acts.ts';

type Db = Kysely<Database>;
type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** The acts of the platform take nothing, and have no cap. */
const rows = sql`(select *, '{}' as body, null::bigint as amount, null as first_approver,
  null as first_person, null::timestamptz as first_approved_at from control.approvals) t`;

/** A sandbox's program is staff over its own Tenant alone; null: everything. */
export const ownTenant = ({ actor, tenantId }: Pick<Caller, 'actor' | 'tenantId'>) =>
  actor.personId === null ? tenantId : null;

const within = (caller: Caller) => {
  const own = ownTenant(caller);
  return own === null ? sql`true` : sql`t.record_id = ${own}`;
};

/** The Tenant acted on; null: none. */
const tenantOf = ({ resource, record_id }: ApprovalRow): string | null =>
  resource === 'tenants' ? record_id : null;

const newId = idMaker();

async function insert(db: Db, row: ApprovalRow): Promise<void> {
  await sql`insert into control.approvals (id, status, resource, record_id, move, note, seen, maker,
      maker_person, created_at, lapses_at)
    values (${row.id}, ${row.status}, ${row.resource}, ${row.record_id}, ${row.move}, ${row.note},
      ${row.seen}, ${row.maker}, ${row.maker_person}, ${row.created_at}, ${row.lapses_at})`.execute(
    db,
  );
}

/** Of two decisions at once the second finds the row as the first has left it. */
async function locked(tx: Db, caller: Caller, decision: Decision): Promise<ReadApproval> {
  const id = approvalId(decision);
  await sql`select from control.approvals where id = ${id} for update`.execute(tx);
  const found = await sql<ReadApproval>`select t.*, ${lapsedBy} as lapsed_by from ${rows}
    where t.id = ${id} and ${within(caller)}`.execute(tx);
  const [row] = found.rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return row;
}

async function store(tx: Db, row: ApprovalRow): Promise<void> {
  await sql`update control.approvals set status = ${row.status}, decider = ${row.decider},
      decision_note = ${row.decision_note}, decided_at = ${row.decided_at}
    where id = ${row.id}`.execute(tx);
}

/** What the act would do now, or why it is refused. */
const lookOrRefusal = (db: Db, act: PlatformAct, id: string) =>
  act.look(db, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return error;
    throw error;
  });

interface Done {
  readonly row: ApprovalRow;
  /** What was done besides. */
  readonly audited: readonly AuditAct[];
}

/** Requests for acts on the platform: the same rules as of a Tenant's, outside the engine. */
export function platformApprovals(service: Service) {
  const { log } = service;
  const actOf = openPlatformActs(service.config);
  /** A Tenant's act is done in its cell; the request itself is in what the cells share. */
  const dbOf = async ({ record_id }: Pick<ApprovalRow, 'record_id'>): Promise<Db> =>
    (await peerOf(service, record_id)).db;

  async function recordOf(decision: Decision): Promise<string> {
    const { rows } = await sql<{ record_id: string }>`select record_id from control.approvals
      where id = ${approvalId(decision)}`.execute(service.db);
    return rows[0]?.record_id ?? '';
  }

  /** The request, its act and their rows of the audit are one transaction (rules/approvals#7). */
  async function write(
    act: PortalEndpointId,
    { actor, record }: { readonly actor: Actor; readonly record: string },
    work: (tx: Db) => Promise<Done>,
  ): Promise<Approval> {
    const db = await dbOf({ record_id: record });
    const { row, told } = await ownTransaction(db, async (tx) => {
      const { row, audited } = await work(tx);
      const entries = [...audited, auditedApproval(act, row)].map((entry) => ({
        ...entry,
        scope: platform,
        actor,
        outcome: 'done',
      }));
      return { row, told: await appendAudit(tx, entries) };
    });
    tellAudit(log, told);
    return approvalView(row, realNowOf(service));
  }

  return {
    list: listRequests(service, {
      from: (context) => sql`${rows} where ${within(context)}`,
      outlook: async (row, { actor }) =>
        outlookFor(
          outlook(await lookOrRefusal(await dbOf(row), actOf(row), row.record_id), row),
          await dependenceOf(service, actor, row, tenantOf(row)),
        ),
    }) satisfies (
      context: ReadContext,
      query: QueryOf<typeof listPlatformApprovals>,
    ) => Promise<Page<Approval>>,

    /** @throws ApiError not_found; invalid_state where it cannot be done */
    create: (caller: Caller, asked: BodyOf<typeof createPlatformApproval>): Promise<Approval> =>
      write('createPlatformApproval', { actor: caller.actor, record: asked.id }, async (tx) => {
        const act = actOf(asked);
        if (asked.id !== (ownTenant(caller) ?? asked.id)) throw fail('not_found', { param: 'id' });
        const now = realNowOf(service);
        const seen = await act.look(tx, asked.id);
        const request = newRequest(caller.actor, asked, { seen, now, realNow: now });
        const row = { ...request, id: newId(service.clocks.realNow()) };
        await insert(tx, row);
        return { row, audited: [] };
      }),

    /** @throws ApiError not_found; forbidden; invalid_state; all that the act throws */
    async approve(caller: Caller, decision: Decision): Promise<Approval> {
      const { actor } = caller;
      const record = await recordOf(decision);
      const done = await write('approvePlatformApproval', { actor, record }, async (tx) => {
        const row = await locked(tx, caller, decision);
        const now = realNowOf(service);
        assertWaits(row, now);
        assertMayApprove(actor, row, false);
        assertIndependent(await dependenceOf({ ...service, db: tx }, actor, row, tenantOf(row)));
        const act = actOf(row);
        assertUnchanged(await act.look(tx, row.record_id), row);
        const after = await act.run(tx, row.record_id, { note: row.note, now });
        const approved = { ...row, ...ending(actor, 'approved', decision, now) };
        await store(tx, approved);
        return {
          row: approved,
          audited: [{ act: auditedAs(row), record: row.record_id, after }],
        };
      });
      securityEvent(log, actOf(done).event, {
        actor: 'person',
        id: done.record_id,
        client_address: actor.address ?? undefined,
        request_id: actor.requestId ?? undefined,
      });
      return done;
    },

    /** @throws ApiError not_found; invalid_state when it no longer waits */
    refuse: (caller: Caller, decision: Decision): Promise<Approval> =>
      write('refusePlatformApproval', { actor: caller.actor, record: '' }, async (tx) => {
        const row = await locked(tx, caller, decision);
        const now = realNowOf(service);
        assertWaits(row, now);
        const refused = { ...row, ...ending(caller.actor, 'refused', decision, now) };
        await store(tx, refused);
        return { row: refused, audited: [] };
      }),
  };
}
