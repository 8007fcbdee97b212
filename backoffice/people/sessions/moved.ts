import { command } from '@tenant-payments/engine/command.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { wideNetworkOf } from '@tenant-payments/service/http/auth/network.ts';
import { requestEvent } from '@tenant-payments/service/http/log/security.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyRequest } from 'fastify';
import type { Notices } from '../notices/notices.ts';
import { platform } from '../scope.ts';
import type { Origin } from './sessions.ts';
import { sessions } from './table.ts';

/** A cookie that appears in another network and another browser at once may be a stolen one (rules/sign-in#19). */

const longestBrowser = 200;

export const originOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Origin => ({
  address: ip,
  browser: (headers['user-agent'] ?? '').slice(0, longestBrowser),
});

/** The place a session was last used from. */
export interface Whereabouts {
  readonly id: string;
  readonly personId: string;
  /** The scope where it acts; null: nothing is chosen. */
  readonly scope: string | null;
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

type Parts = Pick<Service, 'platformEngine' | 'log'>;

interface Moving {
  readonly was: Whereabouts;
  readonly now: Origin;
}

/**
 * Notes that a session moved. One of several requests at once finds it where it was, and is told. The audit names
 * nobody for it.
 */
const noteMove = command('note_moved_session', {
  load: (read, { was: { id } }: Moving) => read.maybe(sessions, id),
  decide: (work, row, { was, now }) => {
    const isThere =
      row !== null &&
      row.ended_at === null &&
      row.last_address === was.lastAddress &&
      row.last_browser === was.lastBrowser;
    if (isThere)
      work.change<typeof sessions>(row, {
        moved_at: work.now,
        stepped_up_at: null,
        last_address: now.address,
        last_browser: now.browser,
      });
    return { value: null, told: isThere };
  },
});

/** Watches where sessions are used from. */
export function openWhereabouts({ platformEngine, log }: Parts, notices: Notices) {
  /** @returns whether the session must be proven before it writes anything */
  return async (request: FastifyRequest, session: Whereabouts): Promise<boolean> => {
    const now = originOf(request);
    if (!hasMoved(session, now)) return session.movedAt !== null;
    const input = { was: session, now };
    const { told: isFirst } = await platformEngine.submit(noteMove, {
      tenantId: platformId,
      input,
    });
    if (!isFirst) return true;
    requestEvent(log, request, 'session_moved', {
      actor: 'person',
      person_id: session.personId,
      session_id: session.id,
      before: session.lastAddress,
    });
    // Without the browser's name, which whoever holds the cookie writes.
    notices.tell({
      kind: 'session_moved',
      personId: session.personId,
      scope: session.scope ?? platform,
      address: now.address,
    });
    return true;
  };
}

export type MustProve = ReturnType<typeof openWhereabouts>;
