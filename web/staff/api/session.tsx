import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { mayCall, type Role } from '@tenant-payments/contract/core/roles.ts';
import { createContext, useContext } from 'react';

const SessionContext = createContext<CurrentSession | null>(null);
export const SessionProvider = SessionContext.Provider;

/** Who is signed in, and where the session acts. */
export function useSession(): CurrentSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('a page is shown inside a session');
  return session;
}

/** Whether the session holds one of the roles; the service decides in any case. */
export const holds = ({ roles }: CurrentSession, asked: readonly Role[]): boolean =>
  mayCall(asked, roles);
