import { isIPv6 } from 'node:net';

const groupsOfAll = 8;
const groupsOfNetwork = 4;
const groupsOfSite = 3;
const octetsOfSite = 3;
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The address of clients that hung up before their address was known: they are one. */
const noAddress = 'none';

/**
 * The network that a client's address is counted as: one caller has all of an IPv6 /64, so that is one; an IPv4 address
 * may be written as IPv6.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return noAddress;
  const ipv4 = ipv4Of(address);
  if (ipv4 !== null) return ipv4;
  return `${groupsOf(address).slice(0, groupsOfNetwork).join(':')}::/64`;
}

/** The network that a person stays in while a provider gives new addresses: an IPv4 /24, an IPv6 /48. */
export function wideNetworkOf(address: string | undefined): string {
  if (address === undefined) return noAddress;
  const ipv4 = ipv4Of(address);
  if (ipv4 !== null) return `${ipv4.split('.').slice(0, octetsOfSite).join('.')}.0/24`;
  return `${groupsOf(address).slice(0, groupsOfSite).join(':')}::/48`;
}

/** Null: it is an IPv6 address. */
function ipv4Of(address: string): string | null {
  const ipv4 = mapped.exec(address)?.[1];
  return ipv4 ?? (isIPv6(address) ? null : address);
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().replace(/%.*/, '').split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(groupsOfAll - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}
