import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { mayCall, type Role } from '@tenant-payments/contract/core/roles.ts';
import { createContext, useContext } from 'react';

const SessionContext = createContext<CurrentSession | null>(null);
export const SessionProvider = SessionContext.Provider;

/** The session: who is signed in, and the scope in which the session acts. */
export function useSession(): CurrentSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('a page is shown inside a session');
  return session;
}

/** The name of a scope as the pages call it; undefined: nobody acts there any more. */
export function nameOf({ scope, scopes, visit }: CurrentSession, at: string | null) {
  if (at === 'platform') return 'Operations console';
  if (visit && at === scope) return visit.tenant_name;
  return scopes.find((one) => one.scope === at)?.name;
}

/** The Tenant that the pages are about, or the application, for the title of the tab. */
export function usePlace(): string {
  const session = useContext(SessionContext);
  return (session && nameOf(session, session.scope)) ?? 'Tenant Payments';
}

/** Whether the session holds one of the roles; the service decides in any case. */
export const holds = ({ roles }: CurrentSession, asked: readonly Role[]): boolean =>
  mayCall(asked, roles);
