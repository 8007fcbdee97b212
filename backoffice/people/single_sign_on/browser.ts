import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { FastifyRequest } from 'fastify';
import { cookieIn, nameAt, type Site, settingCookie } from '../sessions/cookie.ts';

/** The cookie that binds an attempt to the browser that began it (rules/single-sign-on#7). */

const nameOf = (site: Site): string => nameAt(site, 'tp-sso');

/** Lax, as the session's: the provider sends the browser back by a link of its own. */
export const attemptCookie = (site: Site, value: string | null): string =>
  settingCookie(site, nameOf(site), value ?? '', value === null ? 0 : lifetimes.singleSignOn);

export const browserOf = (request: FastifyRequest, site: Site): string | null =>
  cookieIn(request, nameOf(site));
