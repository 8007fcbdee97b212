import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Where a webhook may go (architecture 5): the resolved address is checked when the connection is
 * made, so that a name that resolves differently a moment later gains nothing. TLS everywhere;
 * plain http and loopback only in the sandbox, together or apart.
 */

/** IANA's special-purpose registries (RFC 6890 and after), multicast and what is reserved. */
const special4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's wire server answers here, in nobody's registry.
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

/** What global unicast, 2000::/3, is not: protocols, documentation and tunnels to IPv4. */
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

/** A public address, neither special nor a disguise of IPv4. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !refused4.check(address, 'ipv4');
  return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
}

export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

interface Address {
  readonly address: string;
  readonly family: number;
}

const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const dnsTimeoutMs = 3_000;
const dnsTries = 2;

/** RFC 6761: these names are the machine itself, whatever a resolver says. */
export const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);

/** Asks the name servers directly: `dns.lookup` would fill the few threads that files need too. */
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

/** Where connections of one scheme may go. */
export interface WayOut {
  /** A `lookup` for sockets that gives only addresses that may be reached. */
  readonly lookup: LookupFunction;
  /** What no `lookup` sees: a host that is written as an address. @throws AddressRefused */
  checkLiteral(host: string): void;
}

function wayOut(
  allowed: (address: string) => boolean,
  nameServers: readonly string[] | null,
): WayOut {
  return {
    lookup(hostname, options, callback) {
      resolve(hostname, nameServers).then(
        (found) => {
          const reachable = found.filter(({ address }) => allowed(address));
          const [first] = reachable;
          if (!first) callback(new AddressRefused('no address of this host may be reached'), '');
          else if (options.all) callback(null, [...reachable]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      );
    },
    checkLiteral(host) {
      if (isIP(host) !== 0 && !allowed(host))
        throw new AddressRefused('this address may not be reached');
    },
  };
}

/**
 * The only ways out for a webhook, by the scheme of its address; another scheme has none.
 * @param nameServers instead of the machine's own
 */
export function waysOut(
  environment: 'sandbox' | 'production',
  nameServers: readonly string[] | null,
): Readonly<Record<'http:' | 'https:', WayOut>> {
  const isOurs = (address: string) => environment === 'sandbox' && isLoopback(address);
  return {
    'http:': wayOut(isOurs, nameServers),
    'https:': wayOut((address) => isPublic(address) || isOurs(address), nameServers),
  };
}

export type UrlFault = 'malformed' | 'scheme' | 'credentials' | 'address';

/**
 * Whether a Tenant may save this address (surfaces, Portal JSON). What a name resolves to is
 * checked at each connection, not here.
 * @returns the fault, or null
 */
export function urlFault(text: string, environment: 'sandbox' | 'production'): UrlFault | null {
  if (!URL.canParse(text)) return 'malformed';
  const { protocol, hostname, username, password } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, '');
  const local = isLocalName(host) || isLoopback(host);
  if (username !== '' || password !== '') return 'credentials';
  if (protocol !== 'https:' && !(protocol === 'http:' && local && environment === 'sandbox'))
    return 'scheme';
  if (local) return environment === 'sandbox' ? null : 'address';
  return isIP(host) !== 0 && !isPublic(host) ? 'address' : null;
}
