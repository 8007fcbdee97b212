import { openSession } from '@tenant-payments/contract/hosted/session.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Call } from '../serve.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import { endSessions, type NewSession } from './sessions.ts';

/** Opens a session in place of the browser's earlier one. */
export async function replaceSession(
  connection: Queryable,
  service: Pick<Service, 'clocks' | 'vault'>,
  { cookie, from }: Pick<Call, 'cookie' | 'from'>,
  session: Omit<NewSession, 'address' | 'browser'>,
) {
  if (cookie !== null)
    await endSessions(
      connection,
      service,
      { tokenHash: storedSecret(service, 'session', cookie) },
      'replaced',
    );
  return openSession(connection, service, { ...session, ...from });
}
