import { tokenHash } from '../../core/vault.ts';
import type { Service } from '../../service.ts';
import type { Queryable } from '../scope.ts';
import type { Call } from '../serve.ts';
import { endSessions, type NewSession, openSession } from './sessions.ts';

/** Opens a session in place of the browser's earlier one. */
export async function replaceSession(
  connection: Queryable,
  service: Pick<Service, 'clocks'>,
  { cookie, from }: Pick<Call, 'cookie' | 'from'>,
  session: Omit<NewSession, 'address' | 'browser'>,
) {
  if (cookie !== null)
    await endSessions(connection, service, { tokenHash: tokenHash(cookie) }, 'replaced');
  return openSession(connection, service, { ...session, ...from });
}
