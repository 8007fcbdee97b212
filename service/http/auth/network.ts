import { isIPv6 } from 'node:net';

const groupsOfAll = 8;
const groupsOfNetwork = 4;
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Whom a client's address is counted as: one caller has all of an IPv6 /64, so that is one; an IPv4
 * address may be written as IPv6.
 */
export function networkOf(address: string): string {
  const ipv4 = mapped.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*/, '').split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(groupsOfAll - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.slice(0, groupsOfNetwork).join(':')}::/64`;
}
