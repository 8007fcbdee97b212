import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Config } from '@tenant-payments/service/config/config.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { FastifyRequest } from 'fastify';

/** The cookie that binds an attempt to the browser that began it (rules/single-sign-on#7). */

type Site = Pick<Config, 'publicUrl' | 'consoleUrl'>;

const isSecure = (site: Site): boolean => consoleSite(site).startsWith('https:');
const nameOf = (site: Site): string => (isSecure(site) ? '__Host-tp-sso' : 'tp-sso');

/** Lax: the provider sends the browser back by a link of its own. */
export function attemptCookie(site: Site, value: string | null): string {
  const age = value === null ? 0 : lifetimes.singleSignOn;
  const secure = isSecure(site) ? '; Secure' : '';
  return `${nameOf(site)}=${value ?? ''}; Max-Age=${age}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

export function browserOf({ headers }: FastifyRequest, site: Site): string | null {
  const start = `${nameOf(site)}=`;
  const found = (headers.cookie ?? '').split(/; */).find((part) => part.startsWith(start));
  return found?.slice(start.length) || null;
}
