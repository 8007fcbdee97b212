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

/** The Tenant that the pages are about, or the application, for the title of the tab. */
export function usePlace(): string {
  const session = useContext(SessionContext);
  if (session?.scope === 'platform') return 'Operations console';
  const own = session?.scopes.find(({ scope }) => scope === session.scope)?.name;
  return session?.visit?.tenant_name ?? own ?? 'Tenant Payments';
}

/** Whether the session holds one of the roles; the service decides in any case. */
export const holds = ({ roles }: CurrentSession, asked: readonly Role[]): boolean =>
  mayCall(asked, roles);
