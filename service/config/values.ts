import { isIP } from 'node:net';
import { cellOf, inSchema, schemaFault } from '@tenant-payments/engine/database/cell.ts';
import { asUrl, hostsFault } from '@tenant-payments/engine/database/hosts.ts';
import { tlsFaultOfHosts } from '@tenant-payments/engine/database/tls.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import { type KeyForm, ringOf, secretKey, signingKey } from './key_rings.ts';

/** Each fault is one line for the operator. It never contains the value, which may be a secret. */
export type Faults = string[];

export type Environment = 'sandbox' | 'production';

export const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

/** An address, or a range of them as `10.0.0.0/8`. */
function isAddress(text: string): boolean {
  const [address = '', length = '0', ...more] = text.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && more.length === 0 && /^\d+$/.test(length) && +length <= longest;
}

const plainAddress = 'an http or https address without user, query and fragment';
const isPlain = ({ protocol, search, hash, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && [search, hash, username, password].every((part) => part === '');

export type Readers = ReturnType<typeof readers>;

/** Readers of single settings. A faulty value is reported, and something harmless is returned. */
export function readers(value: (name: string) => string | undefined, faults: Faults) {
  function word<const W extends string>(
    name: string,
    words: readonly W[],
    fallback: NoInfer<W>,
  ): W {
    const text = value(name);
    const known = words.find((candidate) => candidate === text);
    if (text !== undefined && known === undefined)
      faults.push(`${name} must be one of ${words.join(', ')}`);
    return known ?? fallback;
  }

  const ring = <Key>(name: string, text: string | null, form: KeyForm<Key>): KeyRing<Key> | null =>
    text === null ? null : ringOf(name, text, form, faults);

  const listed = (name: string): string[] | undefined =>
    value(name)
      ?.split(',')
      .map((part) => part.trim());

  return {
    word,
    /** `worker:cell_b` works for that cell of `cells` alone (rules/cells#11). @param cells null: any */
    roles(name: string, cells: readonly string[] | null) {
      const parts = listed(name) ?? [...roles];
      const known = new Set(
        roles.filter((role) => parts.some((part) => part.split(':')[0] === role)),
      );
      const named = parts.flatMap((part) => /^worker:(\w+)$/.exec(part)?.[1] ?? []);
      const all = [...roles, ...(cells ?? named).map((cell) => `worker:${cell}`)];
      if (parts.some((part) => !all.includes(part)))
        faults.push(`${name} must be a list, by commas, of ${all.join(', ')}`);
      const workerCells = (cells ?? named).filter((cell) => parts.includes(`worker:${cell}`));
      const isAll = parts.includes('worker') || workerCells.length === 0;
      return { roles: known, workerCells: isAll ? null : workerCells };
    },
    cells(name: string): readonly string[] {
      const names = listed(name) ?? [];
      if (names.some((cell) => schemaFault(cell) !== null) || new Set(names).size < names.length)
        faults.push(
          `${name} must be a list, by commas, of schemas such as public, cell_b; each once`,
        );
      return names;
    },
    /** Whole seconds, 0 unless they are set. */
    seconds(name: string, longest: number): number {
      const text = value(name) ?? '0';
      const seconds = Number(text);
      if (/^\d{1,4}$/.test(text) && seconds <= longest) return seconds;
      faults.push(`${name} must be seconds from 0 to ${longest}`);
      return 0;
    },
    /** 0 takes any free port. */
    port(name: string, fallback: number): number {
      const text = value(name);
      if (text === undefined) return fallback;
      const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
      if (port <= 65_535) return port;
      faults.push(`${name} must be a port from 0 to 65535`);
      return fallback;
    },
    /** An origin: every page is served from the root, and browsers compare origins. */
    origin(name: string, fallback: string): string {
      const text = value(name);
      if (text === undefined) return fallback;
      const url = URL.canParse(text) ? new URL(text) : null;
      if (!url || !isPlain(url)) faults.push(`${name} must be ${plainAddress}`);
      else if (!/^\/*$/.test(url.pathname))
        faults.push(`${name} must have no path: give the service a host name of its own`);
      return url?.origin ?? text;
    },
    /** `on`, `off`, or the address of the documentation elsewhere, without a slash at its end. */
    docs(name: string): 'on' | 'off' | `http${string}` {
      const text = value(name) ?? 'on';
      if (text === 'on' || text === 'off') return text;
      const url = URL.canParse(text) ? new URL(text) : null;
      if (url && isPlain(url)) return `http${url.href.slice('http'.length).replace(/\/$/, '')}`;
      faults.push(`${name} must be on, off, or ${plainAddress}`);
      return 'on';
    },
    addresses(name: string): readonly string[] {
      const listed = (value(name) ?? '').split(',').map((part) => part.trim());
      const parts = listed.filter((part) => part !== '');
      if (!parts.every(isAddress))
        faults.push(`${name} must be a list, by commas, of IP addresses or ranges as 10.0.0.0/8`);
      return parts;
    },
    /** The database, and the schema behind `#` as the one of its sessions (rules/cells#2). */
    databaseUrl(name: string, environment: Environment): string | null {
      const text = value(name);
      if (text === undefined) return null;
      const { address: given, schema } = cellOf(text);
      const address = asUrl(given);
      const fault = /^postgres(ql)?:\/\//.test(address)
        ? (hostsFault(address) ??
          tlsFaultOfHosts(address, environment, value('PGHOST')) ??
          schemaFault(schema))
        : 'must begin with postgresql://';
      if (fault !== null) faults.push(`${name} ${fault}`);
      return inSchema(address, schema);
    },
    /** The schema that an address names; null where the setting is absent. */
    schemaOf(name: string): string | null {
      const text = value(name);
      return text === undefined ? null : cellOf(text).schema;
    },
    secretKeys: (name: string, text: string | null) => ring(name, text, secretKey),
    signingKeys: (name: string, text: string | null) => ring(name, text, signingKey),
  };
}
