import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { CurrentSession } from '../contract/people/session.ts';
import { freshUntilMs, type SignedIn } from './caller.ts';
import { platform, scopesHere } from './scope.ts';
import { idleSeconds } from './sessions/sessions.ts';
import { barredSql } from './single_sign_on/required.ts';
import { rolesSql, visitJoin, visitSql } from './support/visit_state.ts';

type Parts = Pick<Service, 'clocks' | 'environment'>;

type Row = Omit<SignedIn, 'lastUsedAt' | 'handle' | 'lastAddress' | 'lastBrowser' | 'movedAt'> & {
  readonly tenantName: string | null;
  readonly consentBy: string | null;
  readonly until: string | null;
  readonly expiresAt: string;
  readonly passkeys: number;
  readonly codes: number;
  readonly hasProvider: boolean;
};

const rowSql = `
  select s.id, s.person_id as "personId", p.email, p.name, s.scope, s.opened_by as "openedBy",
    s.only_scope as "onlyScope", ${barredSql} as barred,
    s.wants_passkey as "wantsPasskey", s.stepped_up_at as "steppedUpAt", s.expires_at as "expiresAt",
    ${rolesSql('$2')} as roles, ${visitSql('$2')} as visit, v.until,
    (select t.name from control.served_tenants() t where t.tenant_id::text = v.scope) as "tenantName",
    (select g.name from control.people g where g.id = c.given_by) as "consentBy",
    (select count(*) from control.person_passkeys k where k.person_id = p.id) as passkeys,
    (select count(*) from control.recovery_codes c where c.person_id = p.id and c.used_at is null and c.ended_at is null)
      as codes,
    exists (select from control.identity_providers i where i.scope = s.scope) as "hasProvider"
  from control.sessions s join control.people p on p.id = s.person_id ${visitJoin}
  where s.id = $1`;

const visitOf = ({ visit, tenantName, consentBy, until }: Row): CurrentSession['visit'] =>
  until === null
    ? null
    : {
        tenant_name: tenantName ?? '',
        consent_by: consentBy,
        until,
        over: visit === 'over',
      };

/** The view of a person's own session. @throws when there is none */
export async function sessionView(
  db: Queryable,
  parts: Parts,
  sessionId: string,
): Promise<CurrentSession> {
  const { rows } = await db.query<Row>(rowSql, [sessionId, instantOf(parts.clocks.realNow())]);
  const [row] = rows;
  if (!row) throw new Error('a session is shown that is not there');
  const { personId, email, name, scope, wantsPasskey, openedBy, onlyScope } = row;
  const freshMs = freshUntilMs(parts, row);
  const fresh = freshMs === null ? null : instantOf(freshMs);
  return {
    kind: 'person',
    id: row.id,
    person: { id: personId, email, name },
    scope,
    roles: wantsPasskey || row.barred ? [] : row.roles,
    scopes: wantsPasskey ? [] : await scopesHere(db, personId, onlyScope),
    visit: visitOf(row),
    opened_by: openedBy,
    single_sign_on: row.hasProvider,
    must_add_passkey: wantsPasskey,
    fresh_until: openedBy === 'sandbox_link' ? row.expiresAt : fresh,
    idle_seconds: idleSeconds(parts.environment),
    expires_at: row.expiresAt,
    passkeys: row.passkeys,
    recovery_codes: row.codes,
  };
}

/** The view of a caller that is no person. */
export const programView = ({ kind, id, roles }: Actor, tenantId: string): CurrentSession => ({
  kind: kind === 'api_key' ? 'api_key' : 'client',
  id,
  person: null,
  scope: tenantId === '' ? platform : tenantId,
  roles: [...roles],
  scopes: [],
  visit: null,
  opened_by: null,
  single_sign_on: false,
  must_add_passkey: false,
  fresh_until: null,
  idle_seconds: null,
  expires_at: null,
  passkeys: null,
  recovery_codes: null,
});
