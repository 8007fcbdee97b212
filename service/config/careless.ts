import { statSync } from 'node:fs';
import { BlockList } from 'node:net';
import { keyBytes, type Rings } from './key_rings.ts';
import type { Faults } from './values.ts';

/** Settings of production that an attacker hopes for (rules/operations#4). */

type Variables = Readonly<Record<string, string | undefined>>;

/** The start of this process, besides its settings. */
export interface Launch {
  readonly execArgv: readonly string[];
  /** `process.versions.node`. */
  readonly node: string;
}

const ownLaunch: Launch = { execArgv: process.execArgv, node: process.versions.node };

/** A proxy's range is smaller: with these anybody could name any address as the client's. */
const fewestBits = { ipv4: 8, ipv6: 16, ipv4AsIpv6: 104 } as const;
/** `::ffff:0.0.0.0/96` is every address of IPv4. */
const ipv4AsIpv6 = new BlockList();
ipv4AsIpv6.addSubnet('::ffff:0:0', 96, 'ipv6');

function formOf(address: string): keyof typeof fewestBits {
  if (!address.includes(':')) return 'ipv4';
  return ipv4AsIpv6.check(address, 'ipv6') ? 'ipv4AsIpv6' : 'ipv6';
}

const isWholeWorld = (range: string): boolean => {
  const [address = '', bits] = range.split('/');
  return bits !== undefined && Number(bits) < fewestBits[formOf(address)];
};

/** The fewest different bytes of a random key: of 32 some 30 differ. */
const fewestBytes = 12;
const isTyped = (key: Buffer): boolean => new Set(key).size < fewestBytes;

/** The bytes of a key; of a signing key its seed, with which PKCS#8 ends. */
const bytesOf = (key: Buffer | string): Buffer =>
  typeof key === 'string'
    ? Buffer.from(key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64').subarray(-keyBytes)
    : key;

/** Settings that name the file of a ring of keys. */
export const keyFiles = [
  'PIN_PEPPER_FILE',
  'SEALING_KEY_FILE',
  'QR_SIGNING_KEY_FILE',
  'IDENTITY_KEY_FILE',
] as const;

/** Whether other users of the machine may read a file; one that is not there is reported by its reader. */
function othersRead(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & 0o004) !== 0;
}

/** Reports the files of secrets, by the settings that name them, which every user may read. */
export function reportOpenFiles(settings: readonly string[], env: Variables, faults: Faults): void {
  for (const name of settings) {
    const path = env[name];
    if (path && othersRead(path))
      faults.push(`${name}: every user of the machine may read ${path}; run: chmod 600 ${path}`);
  }
}

/** Node takes `_` for `-` within a name, and quotes and backslashes around anything. */
const inspects = /(?:^|\s)--inspect[-\w]*(?:=|\s|$)/;
const unquoted = (options: string): string => options.replaceAll(/["\\]/g, '');

type Judged = { readonly trustedProxies: readonly string[] } & {
  readonly [R in keyof Rings]: Rings[R] | null;
};

/** Reports what production is not started with. */
export function reportCareless(
  env: Variables,
  { trustedProxies, pinPeppers, sealingKeys, qrSigningKeys, identityKeys }: Judged,
  faults: Faults,
  { execArgv }: Launch = ownLaunch,
): void {
  if (trustedProxies.some(isWholeWorld))
    faults.push(
      'TRUSTED_PROXIES has a range of half the world: with it any client could name any address as its own',
    );
  for (const [name, ring] of [
    ['PIN_PEPPER', pinPeppers],
    ['SEALING_KEY', sealingKeys],
    ['QR_SIGNING_KEY', qrSigningKeys],
    ['IDENTITY_KEY', identityKeys],
  ] as const)
    if (ring?.some(({ key }) => isTyped(bytesOf(key))))
      faults.push(`${name} has a key that is not random; make one with: openssl rand -base64 32`);
  reportOpenFiles(keyFiles, env, faults);
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    faults.push(
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0: nobody would be who they say they are',
    );
  if (inspects.test([unquoted(env.NODE_OPTIONS ?? ''), ...execArgv].join(' ')))
    faults.push('NODE_OPTIONS must not have --inspect: a debugger reads and changes everything');
}

/** The days from which Node's releases get no more security fixes. */
const nodeEnds: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
};

/** Warnings for the operator of a start that goes on, one line each. */
export function warningsOf(nowMs: number, { node }: Launch = ownLaunch): readonly string[] {
  const [major = ''] = node.split('.');
  const end = nodeEnds[major];
  if (end === undefined || nowMs < Date.parse(end)) return [];
  return [`Node ${major} has had no security fixes since ${end}; take a newer one`];
}
