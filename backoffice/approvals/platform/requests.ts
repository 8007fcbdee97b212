import type { BodyOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { ownTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { appendAudit, tellAudit } from '@tenant-payments/engine/write/append_audit.ts';
import type { AuditAct } from '@tenant-payments/engine/write/flush_audit.ts';
import { peerOf } from '@tenant-payments/service/cells/peer_of.ts';
import { securityEvent } from '@tenant-payments/service/operations/security_events.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { PortalEndpointId } from '../../contract/catalog.ts';
import type {
  ApprovedPlatformApproval,
  createPlatformApproval,
  listPlatformApprovals,
  PlatformApproval,
} from '../../contract/operate/platform_approvals.ts';
import { openInvitationSending } from '../../people/invitations/send_invitation.ts';
import { openNotices } from '../../people/notices/notices.ts';
import { platform } from '../../people/scope.ts';
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
import { lapsedBy } from '../lapsed.ts';
import { listRequests } from '../list.ts';
import { outlook } from '../preview.ts';
import type { ApprovalRow } from '../table.ts';
import type { Db, PlatformAct, PlatformDone, PlatformWhy } from './act.ts';
import { openPlatformActs } from './acts.ts';
import { askedOf, givenColumn, givenOf, platformView, type ReadPlatformApproval } from './given.ts';

type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** The acts of the platform have no cap, and take what is kept in `given`. */
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

async function insert(db: Db, row: ReadPlatformApproval): Promise<void> {
  await sql`insert into control.approvals (id, status, resource, record_id, move, note, seen, maker,
      maker_person, created_at, lapses_at, given, given_secret)
    values (${row.id}, ${row.status}, ${row.resource}, ${row.record_id}, ${row.move}, ${row.note},
      ${row.seen}, ${row.maker}, ${row.maker_person}, ${row.created_at}, ${row.lapses_at},
      ${row.given}, ${row.given_secret})`.execute(db);
}

/** Of two decisions at once the second finds the row as the first has left it. */
async function locked(tx: Db, caller: Caller, decision: Decision): Promise<ReadPlatformApproval> {
  const id = approvalId(decision);
  await sql`select from control.approvals where id = ${id} for update`.execute(tx);
  const found = await sql<ReadPlatformApproval>`select t.*, ${lapsedBy} as lapsed_by from ${rows}
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
async function lookOrRefusal(db: Db, act: PlatformAct, row: ReadPlatformApproval) {
  try {
    return await act.look(db, askedOf(row));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error;
    throw error;
  }
}

/** Nobody asks for, or approves, a change of the own roles. @throws ApiError invalid_state */
function assertOthers(
  { personId }: Pick<Actor, 'personId'>,
  { resource, id }: { readonly resource: string; readonly id: string },
): void {
  if (resource === 'staff' && id === personId)
    throw fail('invalid_state', { details: { reason: 'own_roles' } });
}

/** Who asks, as the one who does it. */
function makerOf({ maker, maker_person }: ApprovalRow): PlatformWhy['maker'] {
  const [kind = '', id = ''] = maker.split(' ');
  return { kind: kind as Actor['kind'], id, personId: maker_person };
}

interface Done {
  readonly row: ReadPlatformApproval;
  /** What was done besides. */
  readonly audited: readonly AuditAct[];
  /** What follows the commit. */
  readonly committed?: PlatformDone['committed'];
}

/** Requests for acts on the platform: the same rules as of a Tenant's, outside the engine. */
export function platformApprovals(service: Service, messages: Messages) {
  const { log } = service;
  const actOf = openPlatformActs(service, {
    sending: openInvitationSending(service, messages),
    notices: openNotices(service, messages),
  });
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
  ): Promise<ApprovedPlatformApproval> {
    const db = await dbOf({ record_id: record });
    const { row, told, committed } = await ownTransaction(db, async (tx) => {
      const { row, audited, committed } = await work(tx);
      const entries = [...audited, auditedApproval(act, row)].map((entry) => ({
        ...entry,
        scope: platform,
        actor,
        outcome: 'done',
      }));
      return { row, committed, told: await appendAudit(tx, entries) };
    });
    tellAudit(log, told);
    return { ...platformView(row, realNowOf(service)), link: committed?.() ?? null };
  }

  const listed = listRequests(service, {
    from: (context) => sql`${rows} where ${within(context)}`,
    outlook: async (read, { actor }) => {
      const row = read as ReadPlatformApproval;
      return outlookFor(
        outlook(await lookOrRefusal(await dbOf(row), actOf(row), row), row),
        await dependenceOf(service, actor, row, tenantOf(row)),
      );
    },
    view: (row, realNow, outlook) => platformView(row as ReadPlatformApproval, realNow, outlook),
  }) satisfies (
    context: ReadContext,
    query: QueryOf<typeof listPlatformApprovals>,
  ) => Promise<Page<PlatformApproval>>;

  return {
    list: listed,

    /** @throws ApiError not_found; invalid_state where it cannot be done */
    async create(
      caller: Caller,
      asked: BodyOf<typeof createPlatformApproval>,
    ): Promise<PlatformApproval> {
      const { actor } = caller;
      const act = actOf(asked);
      const { id } = asked;
      if (id !== (ownTenant(caller) ?? id)) throw fail('not_found', { param: 'id' });
      assertOthers(actor, asked);
      const given = givenOf(act, asked);
      const secret = (await act.secretOf?.(asked)) ?? null;
      const { link: _, ...made } = await write(
        'createPlatformApproval',
        { actor, record: id },
        async (tx) => {
          const now = realNowOf(service);
          const seen = await act.look(tx, { id, given, secret });
          const request = newRequest(actor, asked, { seen, now, realNow: now });
          const row = {
            ...request,
            id: newId(service.clocks.realNow()),
            given: givenColumn.text(given),
            given_secret: secret,
          };
          await insert(tx, row);
          return { row, audited: [] };
        },
      );
      return made;
    },

    /** @throws ApiError not_found; forbidden; invalid_state; all that the act throws */
    async approve(caller: Caller, decision: Decision): Promise<ApprovedPlatformApproval> {
      const { actor } = caller;
      const record = await recordOf(decision);
      const done = await write('approvePlatformApproval', { actor, record }, async (tx) => {
        const row = await locked(tx, caller, decision);
        const now = realNowOf(service);
        assertWaits(row, now);
        assertMayApprove(actor, row, false);
        assertIndependent(await dependenceOf({ ...service, db: tx }, actor, row, tenantOf(row)));
        const act = actOf(row);
        const asked = askedOf(row);
        assertOthers(actor, { resource: row.resource, id: row.record_id });
        assertUnchanged(await act.look(tx, asked), row);
        const why = { note: row.note, now, maker: makerOf(row) };
        const { after, committed } = await act.run(tx, asked, why);
        const approved = { ...row, ...ending(actor, 'approved', decision, now) };
        await store(tx, approved);
        return {
          row: approved,
          audited: [{ act: auditedAs(row), record: row.record_id, after }],
          committed,
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
    async refuse(caller: Caller, decision: Decision): Promise<PlatformApproval> {
      const about = { actor: caller.actor, record: '' };
      const { link: _, ...row } = await write('refusePlatformApproval', about, async (tx) => {
        const row = await locked(tx, caller, decision);
        const now = realNowOf(service);
        assertWaits(row, now);
        const refused = { ...row, ...ending(caller.actor, 'refused', decision, now) };
        await store(tx, refused);
        return { row: refused, audited: [] };
      });
      return row;
    },
  };
}
