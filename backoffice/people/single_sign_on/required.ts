import { fail } from '@tenant-payments/engine/fail.ts';
import type { PortalEndpoint } from '../../contract/endpoint.ts';

/** The scope in which the session's way of signing in must be good enough: a visitor's is the platform's matter. */
const home = "case when s.visit_id is null then s.scope else 'platform' end";

/**
 * SQL of a session `s`: its scope demands single sign-on, and it was opened in another way. The last
 * owner or admin who can sign in is excepted (rules/single-sign-on#10).
 */
export const barredSql = `(s.only_scope is null
  and exists (select from control.identity_providers d where d.scope = ${home} and d.required)
  and (select count(*) filter (where m.person_id <> s.person_id) > 0
        or count(*) filter (where m.person_id = s.person_id) = 0
      from control.roles m join control.people q on q.id = m.person_id and q.disabled_at is null
      where m.scope = ${home} and m.role in ('owner', 'admin')))`;

/** The operations of a provider's session about its person; all else would reach beyond its scope. */
const ofProvider: ReadonlySet<string> = new Set([
  'getSession',
  'signOut',
  'leaveTenant',
  'beginStepUp',
  'finishStepUp',
  'beginSingleSignOnStepUp',
  'getSingleSignOn',
  'putSingleSignOn',
  'removeSingleSignOn',
  // A key acts where its maker acts (rules/api-keys#3).
  'listApiKeys',
  'createApiKey',
  'revokeApiKey',
  'openDeviceSignIn',
  'approveDeviceSignIn',
  'denyDeviceSignIn',
]);

/** @throws ApiError forbidden */
export function assertOpen(
  { onlyScope, barred }: { readonly onlyScope: string | null; readonly barred: boolean },
  { id, of, may }: Pick<PortalEndpoint, 'id' | 'of' | 'may'>,
): void {
  if (barred && typeof may !== 'string')
    throw fail('forbidden', { details: { reason: 'single_sign_on_required' } });
  if (onlyScope !== null && of === 'person' && !ofProvider.has(id))
    throw fail('forbidden', { details: { reason: 'passkey_session_required' } });
}
