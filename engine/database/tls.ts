import { hostsOf } from './hosts.ts';

/** How a connection to the database is protected, named as libpq does (rules/security#19). */
const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
/** The values of `sslmode` that take any server for the database. */
const unverified: readonly string[] = ['disable', 'require'];

const isLoopback = (host: string): boolean =>
  host.startsWith('/') || /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** A parameter as pg reads it: the last one counts where it is given twice. */
const parameter = (url: URL, name: string): string | null =>
  url.searchParams.getAll(name).at(-1) || null;

/** The server's name, or the folder of its socket. */
const hostOf = (url: URL, fallback: string): string =>
  parameter(url, 'host') || decodeURIComponent(url.hostname) || fallback;

/** @see tlsFault, for each host of the address */
export const tlsFaultOfHosts = (
  text: string,
  environment: 'sandbox' | 'production',
  fallback?: string,
): string | null =>
  hostsOf(text).reduce<string | null>(
    (fault, one) => fault ?? tlsFault(one, environment, fallback),
    null,
  );

/**
 * Why this address of a database must not be used, without naming any part of it; null when it may be.
 * @param fallback the host of an address that names none, as pg takes it from PGHOST
 */
export function tlsFault(
  text: string,
  environment: 'sandbox' | 'production',
  fallback = 'localhost',
): string | null {
  // libpq's form without a host, `postgresql:///name?host=/run/postgresql`, has an empty authority.
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return 'must be an address such as postgresql://user:password@host/name';
  const mode = parameter(url, 'sslmode');
  const host = hostOf(url, fallback);
  if (mode === null) {
    if (environment === 'sandbox' || isLoopback(host)) return null;
    return 'must say sslmode in production: ?sslmode=verify-full';
  }
  if (!(modes as readonly string[]).includes(mode))
    return `must have one of these as sslmode: ${modes.join(', ')}`;
  if (environment === 'production' && unverified.includes(mode) && !isLoopback(host))
    return 'must have verify-full or verify-ca as sslmode in production: without it anybody in between may be the database';
  if (mode === 'verify-ca' && parameter(url, 'sslrootcert') === null)
    return 'must name the file of its authority with sslmode=verify-ca: sslrootcert=…';
  return null;
}

/** The same address, of which pg reads `sslmode` as libpq does. */
export function withLibpqModes(text: string): string {
  const [base = text, query] = text.split('?', 2);
  const params = new URLSearchParams(query);
  if (!params.has('sslmode')) return text;
  params.set('uselibpqcompat', 'true');
  return `${base}?${params}`;
}
