import type { IncomingMessage } from 'node:http';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Config } from '@tenant-payments/service/config/config.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie of a person's session (rules/sign-in#7), and the check of where a write comes from. */

type Site = Pick<Config, 'publicUrl' | 'consoleUrl'>;

const isSecure = (site: Site): boolean => consoleSite(site).startsWith('https:');

/** A browser takes `__Host-` only with Secure, and no other host of the domain can set it. */
export const cookieName = (site: Site): string => (isSecure(site) ? '__Host-tp' : 'tp');

const attributes = (site: Site): string =>
  `Path=/; HttpOnly; SameSite=Lax${isSecure(site) ? '; Secure' : ''}`;

/** Without an age: it ends with the browser, and the session with its own deadlines. */
export function setCookie(reply: FastifyReply, site: Site, token: string): void {
  reply.header('set-cookie', `${cookieName(site)}=${token}; ${attributes(site)}`);
}

export function clearCookie(reply: FastifyReply, site: Site): void {
  reply.header('set-cookie', `${cookieName(site)}=; Max-Age=0; ${attributes(site)}`);
}

/** The session's token of a request; null where there is none, or another credential. */
export function cookieOf({ headers }: Pick<IncomingMessage, 'headers'>, site: Site): string | null {
  if (headers.authorization !== undefined) return null;
  const start = `${cookieName(site)}=`;
  const found = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  const token = found?.slice(start.length) ?? '';
  return /^tps_[\w-]{43}$/.test(token) ? token : null;
}

/** A browser says where each write comes from (rules/sign-in#9). @throws ApiError forbidden */
export function assertSameOrigin({ method, headers }: FastifyRequest, site: Site): void {
  if (method === 'GET') return;
  const from = headers['sec-fetch-site'];
  const isOwn = headers.origin === new URL(consoleSite(site)).origin;
  if (isOwn && (from === undefined || from === 'same-origin')) return;
  throw fail('forbidden', {
    details: { reason: 'origin' },
    message: 'a write by cookie must come from a page of this origin',
  });
}
