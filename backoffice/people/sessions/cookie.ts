import type { IncomingMessage } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Config } from '@tenant-payments/service/config/config.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie of a person's session (rules/sign-in#7), and the check of where a write comes from. */

export type Site = Pick<Config, 'publicUrl' | 'consoleUrl'>;

const isSecure = (site: Site): boolean => consoleSite(site).startsWith('https:');

/** A browser takes `__Host-` only with Secure, and no other host of the domain can set it. */
export const nameAt = (site: Site, name: string): string =>
  isSecure(site) ? `__Host-${name}` : name;

export const cookieName = (site: Site): string => nameAt(site, 'tp');

/** The header that sets a cookie. @param age seconds; without one it ends with the browser */
export const settingCookie = (site: Site, name: string, value: string, age?: number): string =>
  fastifyCookie.serialize(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(site),
    ...(age !== undefined && { maxAge: age }),
  });

/** A cookie of a request, also of one that no route has seen yet: null where there is none. */
export const cookieIn = ({ headers }: Pick<IncomingMessage, 'headers'>, name: string) =>
  fastifyCookie.parse(headers.cookie ?? '')[name] || null;

/** Without an age: the session has deadlines of its own. */
export function setCookie(reply: FastifyReply, site: Site, token: string): void {
  reply.header('set-cookie', settingCookie(site, cookieName(site), token));
}

export function clearCookie(reply: FastifyReply, site: Site): void {
  reply.header('set-cookie', settingCookie(site, cookieName(site), '', 0));
}

/** The session's token of a request; null where there is none, or another credential. */
export function cookieOf(request: Pick<IncomingMessage, 'headers'>, site: Site): string | null {
  if (request.headers.authorization !== undefined) return null;
  const token = cookieIn(request, cookieName(site)) ?? '';
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
