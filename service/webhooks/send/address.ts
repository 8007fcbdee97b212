import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/**
 * The addresses that a webhook may be sent to (rules/security#14). The resolved address is checked
 * when the connection is made, so a name that resolves differently a moment later gains nothing.
 * TLS everywhere; plain http and loopback only in the sandbox (rules/security#15).
 */

/** IANA's special-purpose registries (RFC 6890 and later), multicast and reserved ranges. */
const special4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's wire server; it is in no registry.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Not public inside 2000::/3: protocols, documentation and tunnels to IPv4. */
const special6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

function listOf(subnets: readonly [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family);
  return list;
}

const refused4 = listOf(special4, 'ipv4');
const refused6 = listOf(special6, 'ipv6');
const global6 = listOf([['2000::', 3]], 'ipv6');
const loopback4 = listOf([['127.0.0.0', 8]], 'ipv4');

export const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? loopback4.check(address, 'ipv4') : address === '::1';

/** A public address: not special, and not an IPv4 address written as IPv6. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !refused4.check(address, 'ipv4');
  return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
}

const httpsPort = 443;
const lastWellKnown = 1_023;

/** Well-known ports of public hosts are other services': nobody finds out here what listens there. */
const isPortAllowed = (port: number): boolean => port === httpsPort || port > lastWellKnown;

export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

export interface Address {
  readonly address: string;
  readonly family: number;
}

const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const dnsTimeoutMs = 3_000;
const dnsTries = 2;

/** RFC 6761: these names are the machine itself, regardless of the resolver. */
export const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);

/** Queries the name servers directly: `dns.lookup` would block the thread pool that files need. */
async function resolve(
  hostname: string,
  nameServers: readonly string[] | null,
): Promise<readonly Address[]> {
  if (isLocalName(hostname)) return loopback;
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  if (nameServers) resolver.setServers(nameServers);
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
  ]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [first] = answers;
  if (found.length === 0 && first.status === 'rejected') throw first.reason;
  return found;
}

/** The check of the addresses that connections of one scheme may use. */
export interface AddressRule {
  /**
   * The allowed addresses of a host, which may be written as an address, for this port.
   * @throws AddressRefused when there is none
   */
  addressesOf(host: string, port: number): Promise<readonly Address[]>;
}

const addressRule = (
  allowed: (address: string, port: number) => boolean,
  nameServers: readonly string[] | null,
): AddressRule => ({
  async addressesOf(host, port) {
    const family = isIP(host);
    const found = family === 0 ? await resolve(host, nameServers) : [{ address: host, family }];
    const reachable = found.filter(({ address }) => allowed(address, port));
    if (reachable.length > 0) return reachable;
    throw new AddressRefused('no address of this host is allowed for webhooks');
  },
});

/**
 * The address rules by the scheme of a webhook's URL; no other scheme is allowed.
 * @param nameServers instead of the machine's own
 */
export function addressRules(
  environment: 'sandbox' | 'production',
  nameServers: readonly string[] | null,
): Readonly<Record<'http:' | 'https:', AddressRule>> {
  const isLocal = (address: string) => environment === 'sandbox' && isLoopback(address);
  return {
    'http:': addressRule(isLocal, nameServers),
    'https:': addressRule(
      (address, port) => (isPublic(address) && isPortAllowed(port)) || isLocal(address),
      nameServers,
    ),
  };
}

export type UrlFault = 'malformed' | 'scheme' | 'credentials' | 'address' | 'port';

/**
 * Checks a URL that a Tenant wants to save. What its name resolves to is checked at each connection,
 * not here.
 * @returns the fault, or null
 */
export function urlFault(text: string, environment: 'sandbox' | 'production'): UrlFault | null {
  if (!URL.canParse(text)) return 'malformed';
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, '');
  const local = isLocalName(host) || isLoopback(host);
  if (username !== '' || password !== '') return 'credentials';
  if (protocol !== 'https:' && !(protocol === 'http:' && local && environment === 'sandbox'))
    return 'scheme';
  if (local) return environment === 'sandbox' ? null : 'address';
  if (isIP(host) !== 0 && !isPublic(host)) return 'address';
  return port === '' || isPortAllowed(Number(port)) ? null : 'port';
}
