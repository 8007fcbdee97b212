import type { FastifyRequest } from 'fastify';
import { faultFacts } from '../../core/fault.ts';
import { instantOf } from '../../core/time/instant.ts';
import { wideNetworkOf } from '../../http/auth/network.ts';
import { requestEvent } from '../../http/log/security.ts';
import type { Messages } from '../../rails/messages.ts';
import type { Service } from '../../service.ts';
import type { Origin } from './sessions.ts';

/** A cookie that appears in another network and another browser at once may be a stolen one (rules/sign-in#19). */

const longestBrowser = 200;

export const originOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Origin => ({
  address: ip,
  browser: (headers['user-agent'] ?? '').slice(0, longestBrowser),
});

/** Where a session was last used from. */
export interface Whereabouts {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
  readonly openedBy: string;
  readonly lastAddress: string;
  readonly lastBrowser: string;
  readonly movedAt: string | null;
}

/** Whether both have changed. The sandbox's own session has no passkey to prove itself with. */
function hasMoved({ openedBy, lastAddress, lastBrowser }: Whereabouts, now: Origin): boolean {
  if (openedBy === 'sandbox_link' || now.browser === lastBrowser) return false;
  return wideNetworkOf(now.address) !== wideNetworkOf(lastAddress);
}

/** Without the browser's name, which whoever holds the cookie writes. */
const english = ({ address }: Origin, link: string) => ({
  subject: 'Your session is used from another place',
  body: `Your session in the payments portal is now used from the address ${address}, by another browser. It changes nothing before you prove your passkey there. If that is not you, end the session: ${link}`,
});

const spanish = ({ address }: Origin, link: string) => ({
  subject: 'Su sesión se usa desde otro lugar',
  body: `Su sesión en el portal de pagos se usa ahora desde la dirección ${address}, con otro navegador. No cambia nada hasta que confirme allí con su clave de acceso. Si no es usted, cierre la sesión: ${link}`,
});

type Parts = Pick<Service, 'control' | 'clocks' | 'log' | 'config'>;

/** Watches where sessions are used from. */
export function openWhereabouts({ control, clocks, log, config }: Parts, messages: Messages) {
  /** After the commit; a message that cannot be sent keeps nobody from anything. */
  function tell({ id, email }: Whereabouts, now: Origin, at: string): void {
    const link = `${config.publicUrl}/portal/sign-in`;
    const notice = {
      id: `${id} ${at}`,
      about: 'session_moved',
      en: english(now, link),
      es: spanish(now, link),
    };
    const told = messages.notify?.({ email }, notice);
    told?.catch((error: unknown) => {
      log.warn({ session_id: id, fault: faultFacts(error) }, 'a notice could not be sent');
    });
  }

  /** @returns whether the session must be proven before it writes anything */
  return async (request: FastifyRequest, session: Whereabouts): Promise<boolean> => {
    const now = originOf(request);
    if (!hasMoved(session, now)) return session.movedAt !== null;
    const at = instantOf(clocks.realNow());
    // Of several requests at once one finds it where it was.
    const { rowCount } = await control.query(
      `update control.sessions set moved_at = $4, stepped_up_at = null, last_address = $5, last_browser = $6
       where id = $1 and ended_at is null and last_address = $2 and last_browser = $3`,
      [session.id, session.lastAddress, session.lastBrowser, at, now.address, now.browser],
    );
    if (rowCount === 0) return true;
    requestEvent(log, request, 'session_moved', {
      actor: 'person',
      person_id: session.personId,
      session_id: session.id,
      before: session.lastAddress,
    });
    tell(session, now, at);
    return true;
  };
}

export type MustProve = ReturnType<typeof openWhereabouts>;
