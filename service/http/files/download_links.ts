import { timingSafeEqual } from 'node:crypto';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Reader } from './access.ts';

/** The kinds of files. The position in the list is part of an address: add only at its end. */
const downloadKinds = [
  'reconciliation',
  'statement',
  'letter_provisional_credit',
  'letter_correction',
  'letter_result',
  'letter_denial',
  'letter_late_notice',
  'letter_reasserted',
] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/** The file behind an address. */
export interface Target {
  readonly kind: DownloadKind;
  readonly tenantId: string;
  /** The record's uuid. */
  readonly record: string;
  /** The person to whom the address was given; absent or null: a program of the Tenant's. */
  readonly reader?: Reader | null;
}

/** An address that opens one file of one tenant until it expires, without other credentials. */
export interface Link {
  readonly url: string;
  /** Real time, in whole seconds. */
  readonly expiresAt: Instant;
}

export interface DownloadLinks {
  /** Makes an address. It has no random part: the same second gives the same one. */
  to(target: Target, expiresAtMs: number): Link;
  /** When an address made now expires, in epoch milliseconds of real time. */
  expiryMs(seconds: number): number;
  /** The file behind a token; null when it is forged, altered or expired. */
  read(token: string): Target | null;
}

/** The request log redacts tokens of this shape. */
const prefix = 'dl_';
const uuidBytes = 16;
const expiryBytes = 6;
const contentBytes = 1 + 2 * uuidBytes + expiryBytes;
/** How the reader acts, and the person's uuid. */
const readerBytes = 1 + uuidBytes;
const markBytes = 32;
const waysToAct = ['member', 'staff'] as const;

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const uuidIn = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const bytesOfReader = ({ actedAs, personId }: Reader): Buffer =>
  Buffer.concat([Buffer.of(waysToAct.indexOf(actedAs)), bytesOf(personId)]);

function readerIn(bytes: Buffer): Reader | null {
  const actedAs = waysToAct[bytes[0] ?? -1];
  return actedAs === undefined ? null : { actedAs, personId: uuidIn(bytes.subarray(1)) };
}

interface Needs {
  readonly vault: Vault;
  readonly config: { readonly publicUrl: string };
  readonly clocks: { readonly realNow: () => number };
}

/**
 * Signed addresses of files (rules/reports#21). A token holds tenant, kind, record, expiry and reader under
 * an HMAC of the vault, so nothing is stored and no part can be exchanged. It is in the path, since
 * proxies log queries more freely. It expires in real time (rules/clock#3).
 */
export function openDownloadLinks({ vault, config, clocks: { realNow } }: Needs): DownloadLinks {
  const markOf = (tenantId: string, content: Buffer): Buffer =>
    Buffer.from(vault.index(tenantId, `download ${content.toString('hex')}`), 'hex');

  function tokenOf({ kind, tenantId, record, reader }: Target, expirySeconds: number): string {
    const content = Buffer.alloc(contentBytes);
    content.writeUInt8(downloadKinds.indexOf(kind));
    bytesOf(tenantId).copy(content, 1);
    bytesOf(record).copy(content, 1 + uuidBytes);
    content.writeUIntBE(expirySeconds, 1 + 2 * uuidBytes, expiryBytes);
    const whole = reader ? Buffer.concat([content, bytesOfReader(reader)]) : content;
    return prefix + Buffer.concat([whole, markOf(tenantId, whole)]).toString('base64url');
  }

  return {
    expiryMs: (seconds) => realNow() + seconds * 1000,
    to(target, expiresAtMs) {
      const seconds = Math.floor(expiresAtMs / 1000);
      const url = `${config.publicUrl}/downloads/${tokenOf(target, seconds)}`;
      return { url, expiresAt: instantOf(seconds * 1000) };
    },
    read(token) {
      const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
      // Compares the text: several texts decode to the same bytes.
      if (token !== prefix + bytes.toString('base64url')) return null;
      const length = bytes.length - markBytes;
      if (length !== contentBytes && length !== contentBytes + readerBytes) return null;
      const content = bytes.subarray(0, length);
      const tenantId = uuidIn(content.subarray(1, 1 + uuidBytes));
      if (!timingSafeEqual(bytes.subarray(length), markOf(tenantId, content))) return null;
      const kind = downloadKinds[content.readUInt8()];
      const expirySeconds = content.readUIntBE(1 + 2 * uuidBytes, expiryBytes);
      if (kind === undefined || realNow() >= expirySeconds * 1000) return null;
      const record = uuidIn(content.subarray(1 + uuidBytes, 1 + 2 * uuidBytes));
      return { kind, tenantId, record, reader: readerIn(content.subarray(contentBytes)) };
    },
  };
}
