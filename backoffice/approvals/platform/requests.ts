import type { BodyOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { platformId, platformScope } from '@tenant-payments/engine/platform.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
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
import { ownTenant } from '../../own_tenant.ts';
import { openInvitationSending } from '../../people/invitations/send_invitation.ts';
import { openNotices } from '../../people/notices/notices.ts';
import { approvalId, type Decision } from '../decide.ts';
import { dependenceOf, outlookFor } from '../independence.ts';
import { lapsedBy } from '../lapsed.ts';
import { listRequests } from '../list.ts';
import { outlook, refusalIn } from '../preview.ts';
import type { Seen } from '../seen.ts';
import type { PlatformDone } from './act.ts';
import { openPlatformActs } from './acts.ts';
import {
  approveRequest,
  assertOthers,
  createRequest,
  isOfOwnRoles,
  lookAt,
  refuseRequest,
  tenantOf,
} from './commands.ts';
import { askedOf, givenOf, platformView, type ReadPlatformApproval } from './given.ts';
import { type Nameless, readNames } from './named.ts';
import { platformRequests } from './table.ts';

type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** The acts of the platform have no cap, and take what is kept in `given`. */
const rows = sql`(select ${sql.raw(columnList(platformRequests))}, '{}' as body, null::bigint as amount, null as first_approver,
  null as first_person, null::timestamptz as first_approved_at from control.approvals) t`;

const columns = sql`${sql.raw(columnList(platformRequests, 't'))}, t.body, t.amount, t.first_approver,
  t.first_person, t.first_approved_at`;

const within = (caller: Caller) => {
  const own = ownTenant(caller);
  return own === null ? sql`true` : sql`t.record_id = ${own}`;
};

/** @throws ApiError not_found */
async function readRequest(caller: Caller, decision: Decision): Promise<ReadPlatformApproval> {
  const found =
    await sql<ReadPlatformApproval>`select ${columns}, ${lapsedBy} as lapsed_by from ${rows}
    where t.id = ${approvalId(decision)} and ${within(caller)}`.execute(caller.db);
  const [row] = found.rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return row;
}

/** The engine and the Tenant in which an act is decided. */
interface Place {
  readonly engine: Engine;
  readonly tenantId: string;
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

  const actBy = ({ actor }: Pick<Caller, 'actor'>, act: PortalEndpointId) => ({
    actor,
    act: { act, record: null, scope: platformScope },
  });

  /** Tells what the act would do now, or why it is refused. */
  async function lookOrRefusal(row: ReadPlatformApproval) {
    try {
      const { engine, tenantId } = await placeOf(row);
      const input = askedOf(row);
      const { body } = await engine.submit(lookAt(actOf(row)), { tenantId, input });
      return JSON.parse(body) as Seen;
    } catch (error) {
      return refusalIn(error);
    }
  }

  async function named(view: Nameless): Promise<PlatformApproval> {
    return (await readNames(service.control, [view]))(view);
  }

  const nameless = listRequests(service, {
    columns,
    from: (context) => sql`${rows} where ${within(context)}`,
    outlook: async (read, { actor }) => {
      const row = read as ReadPlatformApproval;
      const now = outlook(await lookOrRefusal(row), row);
      if (now.obstacle === null && isOfOwnRoles(actor, { ...row, id: row.record_id }))
        return { ...now, obstacle: { code: 'invalid_state', reason: 'own_roles' } };
      return outlookFor(now, await dependenceOf(service, actor, row, tenantOf(row)));
    },
    view: (row, realNow, outlook) => platformView(row as ReadPlatformApproval, realNow, outlook),
  });

  return {
    async list(
      context: ReadContext,
      query: QueryOf<typeof listPlatformApprovals>,
    ): Promise<Page<PlatformApproval>> {
      const page = await nameless(context, query);
      return { ...page, data: page.data.map(await readNames(service.control, page.data)) };
    },

    /** @throws ApiError not_found; invalid_state where it cannot be done */
    async create(
      caller: Caller,
      wanted: BodyOf<typeof createPlatformApproval>,
    ): Promise<PlatformApproval> {
      const act = actOf(wanted);
      const { resource, id, move, note } = wanted;
      if (id !== (ownTenant(caller) ?? id)) throw fail('not_found', { param: 'id' });
      assertOthers(caller.actor, wanted);
      const given = givenOf(act, wanted);
      const asked = { id, given, secret: (await act.secretOf?.(wanted)) ?? null };
      const { engine, tenantId } = await placeOf({ resource, record_id: id });
      const { body } = await engine.submit(createRequest(service, act), {
        ...actBy(caller, 'createPlatformApproval'),
        tenantId,
        input: { named: { resource, id, move, note }, asked },
      });
      return named(JSON.parse(body));
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
      return { ...(await named(JSON.parse(body))), link: committed?.() ?? null };
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
      return named(JSON.parse(body));
    },
  };
}
