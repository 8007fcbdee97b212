import type { BodyOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { platformId, platformScope } from '@tenant-payments/engine/platform.ts';
import { peerOf } from '@tenant-payments/service/cells/peer_of.ts';
import { securityEvent } from '@tenant-payments/service/operations/security_events.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { suspensionOf } from '@tenant-payments/service/tenants/suspension.ts';
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
import { ownTenant } from '../../serve/own_tenant.ts';
import { approvalId, type Decision } from '../decide.ts';
import { dependenceOf, outlookFor } from '../independence.ts';
import { lapsedBy } from '../lapsed.ts';
import { listRequests } from '../list.ts';
import { outlook, refusalIn } from '../preview.ts';
import type { Seen } from '../seen.ts';
import type { PlatformDone } from './act.ts';
import { openPlatformActs } from './acts.ts';
import { askedOf, givenColumn, givenOf, platformView, type ReadPlatformApproval } from './given.ts';
import { readNames } from './named.ts';

type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** The acts of the platform have no cap, and take what is kept in `given`. */
const rows = sql`(select *, '{}' as body, null::bigint as amount, null as first_approver,
  null as first_person, null::timestamptz as first_approved_at from control.approvals) t`;

const within = (caller: Caller) => {
  const own = ownTenant(caller);
  return own === null ? sql`true` : sql`t.record_id = ${own}`;
};

/** @throws ApiError not_found */
async function readRequest(caller: Caller, decision: Decision): Promise<ReadPlatformApproval> {
  const found = await sql<ReadPlatformApproval>`select t.*, ${lapsedBy} as lapsed_by from ${rows}
    where t.id = ${approvalId(decision)} and ${within(caller)}`.execute(caller.db);
  const [row] = found.rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return row;
}

/** What is decided needs no secret any more. */
async function store(tx: Db, row: ApprovalRow): Promise<void> {
  await sql`update control.approvals set status = ${row.status}, decider = ${row.decider},
      decision_note = ${row.decision_note}, decided_at = ${row.decided_at}, given_secret = null
    where id = ${row.id}`.execute(tx);
}

/** Requests for acts on the platform: the same rules as of a Tenant's. */
export function platformApprovals(service: Service, messages: Messages) {
  const actOf = openPlatformActs(service, {
    sending: openInvitationSending(service, messages),
    notices: openNotices(service, messages),
  });
  const ofPlatform: Place = { engine: service.platformEngine, tenantId: platformId };

  /** A Tenant's act is a command of that Tenant, in its cell. @throws ApiError not_found */
  async function placeOf(record: { resource: string; record_id: string }): Promise<Place> {
    const tenantId = tenantOf(record);
    if (tenantId === null) return ofPlatform;
    const { db, engine } = await peerOf(service, tenantId);
    await suspensionOf(db, tenantId);
    return { engine, tenantId };
  }

  /** The request, its act and their rows of the audit are one transaction (rules/approvals#7). */
  async function write(
    act: PortalEndpointId,
    { actor, record }: { readonly actor: Actor; readonly record: string },
    work: (tx: Db) => Promise<Done>,
  ): Promise<ApprovedPlatformApproval> {
    const db = await dbOf({ record_id: record });
    const { view, told, committed } = await ownTransaction(db, async (tx) => {
      const { row, audited, committed } = await work(tx);
      const entries = [...audited, auditedApproval(act, row)].map((entry) => ({
        ...entry,
        scope: platform,
        actor,
        outcome: 'done',
      }));
      const view = platformView(row, realNowOf(service));
      const named = await readNames(tx, [view]);
      return { view: named(view), committed, told: await appendAudit(tx, entries) };
    });
    tellAudit(log, told);
    return { ...view, link: committed?.() ?? null };
  }

  const nameless = listRequests(service, {
    from: (context) => sql`${rows} where ${within(context)}`,
    outlook: async (read, { actor }) => {
      const row = read as ReadPlatformApproval;
      return outlookFor(
        outlook(await lookOrRefusal(row), row),
        await dependenceOf(service, actor, row, tenantOf(row)),
      );
    },
    view: (row, realNow, outlook) => platformView(row as ReadPlatformApproval, realNow, outlook),
  });

  return {
    async list(
      context: ReadContext,
      query: QueryOf<typeof listPlatformApprovals>,
    ): Promise<Page<PlatformApproval>> {
      const page = await nameless(context, query);
      return { ...page, data: page.data.map(await readNames(service.db, page.data)) };
    },

    /** @throws ApiError not_found; invalid_state where it cannot be done */
    async create(
      caller: Caller,
      named: BodyOf<typeof createPlatformApproval>,
    ): Promise<PlatformApproval> {
      const act = actOf(named);
      const { resource, id, move, note } = named;
      if (id !== (ownTenant(caller) ?? id)) throw fail('not_found', { param: 'id' });
      assertOthers(caller.actor, named);
      const given = givenOf(act, named);
      const asked = { id, given, secret: (await act.secretOf?.(named)) ?? null };
      const { engine, tenantId } = await placeOf({ resource, record_id: id });
      const { body } = await engine.submit(createRequest(service, act), {
        ...actBy(caller, 'createPlatformApproval'),
        tenantId,
        input: { named: { resource, id, move, note }, asked },
      });
      return JSON.parse(body);
    },

    /** @throws ApiError not_found; forbidden; invalid_state; all that the act throws */
    async approve(caller: Caller, decision: Decision): Promise<ApprovedPlatformApproval> {
      const row = await readRequest(caller, decision);
      const act = actOf(row);
      const { engine, tenantId } = await placeOf(row);
      const { body, told } = await engine.submit(approveRequest(service, act), {
        ...actBy(caller, 'approvePlatformApproval'),
        tenantId,
        input: { decision, row },
      });
      const committed = told as PlatformDone['committed'];
      const { actor } = caller;
      securityEvent(service.log, act.event, {
        actor: 'person',
        id: row.record_id,
        client_address: actor.address ?? undefined,
        request_id: actor.requestId ?? undefined,
      });
      return { ...JSON.parse(body), link: committed?.() ?? null };
    },

    /** @throws ApiError not_found; invalid_state when it no longer waits */
    async refuse(caller: Caller, decision: Decision): Promise<PlatformApproval> {
      const row = await readRequest(caller, decision);
      const { engine, tenantId } = ofPlatform;
      const { body } = await engine.submit(refuseRequest(service), {
        ...actBy(caller, 'refusePlatformApproval'),
        tenantId,
        input: { decision, row },
      });
      return JSON.parse(body);
    },
  };
}
