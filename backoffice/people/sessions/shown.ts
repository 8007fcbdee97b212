import { fail } from '@tenant-payments/engine/fail.ts';
import type { FastifyRequest } from 'fastify';

/** The operations on the session itself, by which a window learns where it acts, or changes that. */
const ofSession: readonly string[] = ['getSession', 'actIn', 'leaveTenant', 'signOut'];

/** A window names the scope that it shows; another may have moved the session (rules/sign-in#3). @throws ApiError forbidden */
export function assertShown(
  scope: string | null,
  { headers, routeOptions }: Pick<FastifyRequest, 'headers' | 'routeOptions'>,
): void {
  const shown = headers['session-scope'];
  if (shown === undefined || shown === scope) return;
  if (ofSession.includes(routeOptions.config.endpoint?.id ?? '')) return;
  throw fail('forbidden', {
    details: { reason: 'acts_elsewhere' },
    message: 'another window has moved the session: it acts elsewhere than this window shows',
  });
}
