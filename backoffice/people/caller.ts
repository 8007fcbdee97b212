import { lifetimes, rates } from '@tenant-payments/contract/core/numbers.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { networkOf } from '@tenant-payments/service/http/auth/network.ts';
import { openRateLimit } from '@tenant-payments/service/http/auth/rate_limit.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import type { Identify, PortalCaller } from '../serve/guard.ts';
import { platform } from './scope.ts';
import { assertSameOrigin, cookieOf } from './sessions/cookie.ts';
import { type MustProve, originOf } from './sessions/moved.ts';
import { idleSeconds, type OpenedBy } from './sessions/sessions.ts';
import { assertShown } from './sessions/shown.ts';
import { tenantNamed } from './sessions/tenant_header.ts';
import { isMarked } from './sessions/token.ts';
import { storedSecret } from './sign_in/stored_secrets.ts';
import { touchSession } from './sign_of_life.ts';
import { assertOpen, barredSql } from './single_sign_on/required.ts';
import { rolesSql, type VisitState, visitJoin, visitSql } from './support/visit_state.ts';

/** The person behind a request, by the session's cookie (rules/sign-in#7). */
export interface SignedIn {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly handle: string;
  readonly scope: string | null;
  readonly roles: Role[];
  readonly openedBy: OpenedBy;
  /** The one scope in which it may act; null: every one (rules/single-sign-on#3). */
  readonly onlyScope: string | null;
  /** Its scope demands single sign-on, and it was opened in another way. */
  readonly barred: boolean;
  readonly wantsPasskey: boolean;
  readonly steppedUpAt: string | null;
  readonly lastUsedAt: string;
  readonly lastAddress: string;
  readonly lastBrowser: string;
  /** The time from which the session waits for a proof, because it appeared elsewhere (rules/sign-in#19). */
  readonly movedAt: string | null;
  readonly visit: VisitState;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a person's session calls. */
    signedIn: SignedIn | null;
  }
}

type Parts = Pick<
  Service,
  'control' | 'pool' | 'platformEngine' | 'clocks' | 'environment' | 'config' | 'vault'
>;

/** @returns null: it has ended, is nobody's, or acts in a Tenant of a cell that is not served here (rules/cells#6) */
export async function sessionOf(
  { control, clocks, environment, vault }: Parts,
  token: string,
): Promise<SignedIn | null> {
  const nowMs = clocks.realNow();
  const { rows } = await control.query<SignedIn>(
    `select s.id, s.person_id as "personId", p.email, p.name, p.passkey_handle as handle, s.scope,
       s.opened_by as "openedBy", s.wants_passkey as "wantsPasskey",
       s.stepped_up_at as "steppedUpAt", s.last_used_at as "lastUsedAt",
       s.last_address as "lastAddress", s.last_browser as "lastBrowser", s.moved_at as "movedAt",
       s.only_scope as "onlyScope", ${barredSql} as barred, ${visitSql('$2')} as visit,
       ${rolesSql('$2')} as roles
     from control.sessions s join control.people p on p.id = s.person_id ${visitJoin}
     where s.token_hash = $1 and s.ended_at is null and p.disabled_at is null
       and s.expires_at > $2 and s.last_used_at > $3
       and (s.scope = $4 or exists (select from control.served_tenants() here
         where here.tenant_id = case when s.scope <> $4 then s.scope::uuid end))`,
    [
      storedSecret({ vault }, 'session', token),
      instantOf(nowMs),
      instantOf(nowMs - idleSeconds(environment) * 1_000),
      platform,
    ],
  );
  const [row] = rows;
  return row ? { ...row, roles: row.barred ? [] : row.roles } : null;
}

/** Until when a session counts as stepped up; null: it does not (rules/sign-in#8). */
export function freshUntilMs(
  { clocks }: Pick<Service, 'clocks'>,
  session: Pick<SignedIn, 'steppedUpAt'>,
): number | null {
  if (session.steppedUpAt === null) return null;
  const untilMs = epochMs(session.steppedUpAt) + lifetimes.stepUp * 1_000;
  return untilMs > clocks.realNow() ? untilMs : null;
}

/** A session of a sandbox's link has no passkey to step up with; one that wants a passkey makes one. */
const isFresh = (parts: Parts, session: SignedIn): boolean =>
  session.openedBy === 'sandbox_link' ||
  session.wantsPasskey ||
  freshUntilMs(parts, session) !== null;

/** The operations of a session that a recovery code opened, before its new passkey is made. */
const beforePasskey = ['getSession', 'signOut', 'beginMyPasskey', 'addMyPasskey'];

/**
 * @param hasMoved whether it must be proven before it writes anything
 * @throws ApiError forbidden; parameter_invalid; rate_limited
 */
export function bySession(
  parts: Parts & Pick<Service, 'processRegistry' | 'meters' | 'log'>,
  hasMoved: MustProve,
): Identify {
  const unmarked = openRateLimit(parts, 'address');
  return async (request, reply): Promise<PortalCaller | null> => {
    const token = cookieOf(request, parts.config);
    const network = networkOf(request.ip);
    const isCounted = token !== null && !request.isAskedAgain && !isMarked(parts, token);
    if (isCounted) await unmarked.take(network, rates.hostedAddress, reply);
    const session = token === null ? null : await sessionOf(parts, token);
    if (session === null) return null;
    if (isCounted) await unmarked.giveBack(network);
    assertSameOrigin(request, parts.config);
    assertShown(session.scope, request);
    const id = request.routeOptions.config.endpoint?.id ?? '';
    if (session.wantsPasskey && !beforePasskey.includes(id))
      throw fail('forbidden', { details: { reason: 'passkey_required' } });
    assertOpen(session, request.routeOptions.config.endpoint as PortalEndpoint);
    const tenantId = await tenantNamed(parts.pool, session.scope, request);
    const mustProve = request.isAskedAgain ? false : await hasMoved(request, session);
    if (!request.isAskedAgain) touchSession(parts, session, originOf(request));
    request.signedIn = session;
    const { personId, roles, visit } = session;
    return {
      actor: { kind: 'person', id: personId, personId, roles, address: null, requestId: null },
      tenantId,
      ratePerMinute: rates.person,
      isFresh: !mustProve && isFresh(parts, session),
      mustProve,
      ...(visit !== 'none' && { visit }),
    };
  };
}
