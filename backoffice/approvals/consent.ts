import { createHash } from 'node:crypto';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { securityEvent } from '@tenant-payments/service/operations/security_events.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { countedFor, openAttempts } from '../people/sign_in/attempts.ts';
import type { Purpose } from '../people/sign_in/challenge.ts';
import {
  answerOptions,
  loadProven,
  type Proven,
  passkeyOf,
  takeProven,
  verifyAnswer,
} from '../people/sign_in/passkeys.ts';
import { platformRequests } from './platform/table.ts';
import { type ApprovalRow, approvals } from './table.ts';

/** An approver's passkey signs what is approved, and not only that somebody is there (rules/approvals#23). */

type Of = Extract<PortalEndpoint['of'], 'tenant' | 'platform'>;
type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** Columns that a decision changes. All others of a request are signed, also one that is added later. */
const decided: ReadonlySet<string> = new Set<Extract<keyof ApprovalRow, string> | 'revision'>([
  'status',
  'first_approver',
  'first_person',
  'first_approved_at',
  'decider',
  'decision_note',
  'decided_at',
  'revision',
]);
type Signed = Readonly<Record<string, unknown>>;

/** A program asks about its own Tenant alone. */
const rowOf = (of: Of, { actor, tenantId }: Caller, id: string) =>
  of === 'tenant'
    ? sql<Signed>`select ${sql.raw(columnList(approvals))} from approvals where tenant_id = ${tenantId} and id = ${id}`
    : sql<Signed>`select ${sql.raw(columnList(platformRequests))} from control.approvals where id = ${id}
        and (${actor.personId !== null} or record_id = ${tenantId})`;

/** The hash of a request, as a passkey signs it. @throws ApiError not_found */
async function hashOf(of: Of, caller: Caller, given: string): Promise<string> {
  const id = uuidOf('approval', given);
  const { rows } = id === null ? { rows: [] } : await rowOf(of, caller, id).execute(caller.db);
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  const facts = [
    of === 'tenant' ? caller.tenantId : of,
    ...Object.entries(row)
      .filter(([name]) => !decided.has(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

const purposeOf = (personId: string, hash: string): Purpose => `approve ${personId} ${hash}`;

/**
 * POST /portal/api/approvals/{id}/consent, and the same of the platform.
 * @throws ApiError not_found; forbidden: no person calls; invalid_state {reason: no_passkey}
 */
export const beginConsent =
  (service: Service, of: Of) =>
  async (caller: Caller, { id }: { readonly id: string }): Promise<object> => {
    const hash = await hashOf(of, caller, id);
    const { kind, personId } = caller.actor;
    if (kind !== 'person' || personId === null)
      throw fail('forbidden', { details: { reason: 'no_person' } });
    const { options, count } = await answerOptions(service, purposeOf(personId, hash), personId);
    if (count === 0) throw fail('invalid_state', { details: { reason: 'no_passkey' } });
    return { options };
  };

const unsigned = () =>
  fail('step_up_required', {
    details: { reason: 'consent' },
    message:
      'a passkey must sign this very request: get the options at /consent, and send the answer as credential',
  });

type Approving = Pick<FastifyRequest, 'signedIn' | 'isFresh' | 'actor' | 'tenantId' | 'id'> & {
  readonly params: unknown;
  readonly body: unknown;
  readonly routeOptions: FastifyRequest['routeOptions'];
};

/**
 * Whether an approval wants another proof than it brings. Whoever holds a passkey signs; others sign in at
 * their provider anew.
 * @throws ApiError step_up_required {reason: consent}; parameter_invalid for a wrong answer
 */
export function openConsent(service: Service) {
  const attempts = openAttempts(service);

  /** An answer is good once, also where the approval is refused. */
  const take = command('take_approvers_answer', {
    load: (read, { purpose, proven }: { readonly purpose: Purpose; readonly proven: Proven }) =>
      loadProven(read, service, purpose, proven),
    decide: (work, loaded, { proven }) => {
      takeProven(work, loaded, proven);
      return { value: null };
    },
  });

  async function holdsPasskey({
    personId,
    openedBy,
  }: NonNullable<FastifyRequest['signedIn']>): Promise<boolean> {
    // The sandbox's own person signs in by a link.
    if (openedBy === 'sandbox_link') return false;
    const { rowCount } = await service.control.query(
      'select from control.person_passkeys where person_id = $1 limit 1',
      [personId],
    );
    return rowCount !== 0;
  }

  return async (request: Approving): Promise<boolean> => {
    const { signedIn, isFresh, actor, tenantId, params, body, routeOptions } = request;
    if (!signedIn || !(await holdsPasskey(signedIn))) return !isFresh;
    const { id } = params as { readonly id: string };
    const { of } = routeOptions.config.endpoint as PortalEndpoint;
    const { credential } = (body ?? {}) as { credential?: Readonly<Record<string, unknown>> };
    const { db, control, log } = service;
    const hash = await hashOf(of as Of, { actor, tenantId, db }, id);
    if (!credential) throw unsigned();
    const { personId } = signedIn;
    const passkeyId = await attempts.proven([countedFor.person(personId)], async () => {
      const known = await passkeyOf(control, credential);
      const own = known?.person_id === personId ? known : null;
      const proven = await verifyAnswer(service, own, credential);
      const input = { purpose: purposeOf(personId, hash), proven };
      await service.platformEngine.submit(take, { tenantId: platformId, input });
      return proven.passkey.id;
    });
    securityEvent(log, 'approval_signed', {
      actor: 'person',
      person_id: personId,
      approval_id: id,
      passkey_id: passkeyId,
      hash,
      request_id: request.id,
      client_address: actor.address ?? undefined,
    });
    return false;
  };
}
