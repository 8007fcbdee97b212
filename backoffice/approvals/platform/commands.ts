import type { Actor } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { platformScope } from '@tenant-payments/engine/platform.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { auditedAs } from '../acts.ts';
import { auditedApproval } from '../audit.ts';
import { newRequest } from '../create.ts';
import {
  approvalId,
  assertApprovable,
  assertUnchanged,
  assertWaits,
  type Decision,
  ending,
  realNowOf,
} from '../decide.ts';
import { loadApprover } from '../independence.ts';
import { loadLapsedBy, type ReadApproval } from '../lapsed.ts';
import { refusalIn } from '../preview.ts';
import type { ApprovalRow } from '../table.ts';
import type { PlatformAct, PlatformAsked, PlatformWhy } from './act.ts';
import { askedOf, givenColumn, platformView, type ReadPlatformApproval } from './given.ts';
import { asApproval, platformRequests } from './table.ts';

/** Commands of the platform's requests. Where an act is of a Tenant, it and the request are one command of that Tenant. */

interface Named {
  readonly resource: string;
  readonly id: string;
  readonly move: string;
}

interface Asking {
  readonly named: Named & { readonly note: string };
  readonly asked: PlatformAsked;
}

/** Tells what an act would do now. @throws ApiError where it cannot be done */
export const lookAt = (act: PlatformAct) =>
  command('look_at_platform_act', {
    isRead: true,
    prepare: async (asked: PlatformAsked) => act.prepare?.(asked),
    load: (read, asked, ready) => act.load(read, asked, ready),
    decide: (_work, loaded, asked) => ({ value: act.look(loaded, asked) }),
  });

/** Asks for an act. @throws ApiError not_found; invalid_state where it cannot be done */
export const createRequest = (service: Pick<Service, 'clocks'>, act: PlatformAct) =>
  command('create_platform_approval', {
    prepare: async ({ asked }: Asking) => act.prepare?.(asked),
    load: (read, { asked }, ready) => act.load(read, asked, ready),
    decide: (work, loaded, { named, asked }) => {
      const now = realNowOf(service);
      const seen = act.look(loaded, asked);
      const made = work.create(platformRequests, {
        ...newRequest(work.actor, named, { seen, now, realNow: now }),
        id: work.newId(),
        given: givenColumn.text(asked.given),
        given_secret: asked.secret,
      });
      const row = asApproval(made);
      work.audit(auditedApproval('createPlatformApproval', row));
      return { value: platformView(row, now) };
    },
  });

type AboutRecord = Pick<Named, 'resource' | 'id'>;

export const isOfOwnRoles = (
  { personId }: Pick<Actor, 'personId'>,
  { resource, id }: AboutRecord,
): boolean => resource === 'staff' && id === personId;

/**
 * Refuses a request for a change of the own roles, and its approval.
 * @throws ApiError invalid_state
 */
export function assertOthers(actor: Pick<Actor, 'personId'>, act: AboutRecord): void {
  if (isOfOwnRoles(actor, act)) throw fail('invalid_state', { details: { reason: 'own_roles' } });
}

/** The maker of a request, as the one who does the act. */
function makerOf({ maker, maker_person }: ApprovalRow): PlatformWhy['maker'] {
  const [kind = '', id = ''] = maker.split(' ');
  return { kind: kind as Actor['kind'], id, personId: maker_person };
}

/** The Tenant acted on; null: none. */
export const tenantOf = ({
  resource,
  record_id,
}: Pick<ApprovalRow, 'resource' | 'record_id'>): string | null =>
  resource === 'tenants' ? record_id : null;

interface Deciding {
  readonly decision: Decision;
  /** The request as it was read before the batch. */
  readonly row: ReadPlatformApproval;
}

/**
 * Makes the act of a request ready, or returns its refusal, which is thrown only once the request
 * is known to wait.
 */
async function readyFor(act: PlatformAct, row: ReadPlatformApproval) {
  try {
    const asked = askedOf(row);
    return { asked, ready: await act.prepare?.(asked) };
  } catch (error) {
    return refusalIn(error);
  }
}

/**
 * Does what was asked for and ends the request (rules/approvals#7).
 * @throws ApiError forbidden; invalid_state; all that the act throws
 */
export const approveRequest = (service: Pick<Service, 'clocks' | 'config'>, act: PlatformAct) =>
  command('approve_platform_approval', {
    judgesItself: true,
    prepare: async ({ row }: Deciding, { actor }) => ({ actor, found: await readyFor(act, row) }),
    load: async (read, { decision }, { actor, found }) => {
      const row = await read.one(platformRequests, approvalId(decision));
      const [lapsed_by, approver, loaded] = await Promise.all([
        loadLapsedBy(read, asApproval(row)),
        loadApprover(read, service, actor),
        found instanceof ApiError ? null : act.load(read, found.asked, found.ready),
      ]);
      return { row, lapsed_by, approver, loaded };
    },
    decide: (work, { row: waiting, lapsed_by, approver, loaded }, { decision }, { found }) => {
      const realNow = realNowOf(service);
      const row: ReadApproval = { ...asApproval(waiting), lapsed_by };
      assertApprovable(work, row, { realNow, approver, tenantId: tenantOf(row) });
      if (found instanceof ApiError) throw found;
      const { asked, ready } = found;
      assertOthers(work.actor, { resource: row.resource, id: row.record_id });
      assertUnchanged(act.look(loaded, asked), row);
      const why = { note: row.note, now: realNow, maker: makerOf(row), ready };
      const { after, committed } = act.run(work, loaded, asked, why);
      const done = work.change<typeof platformRequests>(waiting, {
        ...ending(work.actor, 'approved', decision, realNow),
        given_secret: null,
      });
      const approved = asApproval(done);
      work.audit({ act: auditedAs(row), record: row.record_id, scope: platformScope, after });
      work.audit(auditedApproval('approvePlatformApproval', approved));
      return { value: platformView(approved, realNow), told: committed };
    },
  });

/** @throws ApiError invalid_state when it no longer waits */
export const refuseRequest = (service: Pick<Service, 'clocks'>) =>
  command('refuse_platform_approval', {
    load: (read, { decision }: Deciding) => read.one(platformRequests, approvalId(decision)),
    decide: (work, waiting, { decision, row: { lapsed_by = null } }) => {
      const realNow = realNowOf(service);
      assertWaits({ ...asApproval(waiting), lapsed_by }, realNow);
      const done = work.change<typeof platformRequests>(waiting, {
        ...ending(work.actor, 'refused', decision, realNow),
        given_secret: null,
      });
      const refused = asApproval(done);
      work.audit(auditedApproval('refusePlatformApproval', refused));
      return { value: platformView(refused, realNow) };
    },
  });
