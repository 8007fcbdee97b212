import { isIP } from 'node:net';

/** With a port, as some gateways append it: `203.0.113.9:40123`, `[2001:db8::1]:40123`, `[2001:db8::1]`. */
const decorated = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;

/** @returns null: no address */
function addressOf(entry: string): string | null {
  const [, bracketed, plain = entry] = decorated.exec(entry) ?? [];
  const address = bracketed ?? plain;
  return isIP(address) === 0 ? null : address;
}

/**
 * Addresses alone of an X-Forwarded-For, each bare. What stands before an entry that is none is left out,
 * so that the proxy that wrote it counts as the client (rules/security#18).
 */
export function addressesOf(header: string): string {
  const addresses = header.split(',').map((entry) => addressOf(entry.trim()));
  return addresses.slice(addresses.lastIndexOf(null) + 1).join(', ');
}
