import { createPrivateKey, createPublicKey } from 'node:crypto';
import {
  checkOf,
  derivedKeyId,
  type KeyRing,
  mapRing,
  type RingKey,
} from '@tenant-payments/engine/key_ring.ts';

/** The bytes before the 32-byte seed in a PKCS#8 Ed25519 private key (RFC 8410). */
const ed25519Header = Buffer.from('302e020100300506032b657004220420', 'hex');
export const keyBytes = 32;

/** An Ed25519 private key from its seed, as PKCS#8 PEM. */
export function signingKeyPem(seed: Buffer): string {
  const der = Buffer.concat([ed25519Header, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return String(key.export({ format: 'pem', type: 'pkcs8' }));
}

/** 32 bytes written as 64 hexadecimal digits or as base64, or null. */
function keyOf(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes ? bytes : null;
}

function pemOf(text: string): string | null {
  try {
    const seed = keyOf(text);
    if (seed) return signingKeyPem(seed);
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType !== 'ed25519') return null;
    return String(key.export({ format: 'pem', type: 'pkcs8' }));
  } catch {
    return null;
  }
}

/** How the keys of a ring are written. */
export interface KeyForm<Key> {
  read(text: string): Key | null;
  /** The bytes that are digested for the id of a key that was given none. */
  digested(key: Key): Buffer;
  /** One line for the operator. */
  readonly rule: string;
}

export const secretKey: KeyForm<Buffer> = {
  read: keyOf,
  digested: (key) => Buffer.from(checkOf(key)),
  rule: 'must be 32 bytes, as base64 or as 64 hexadecimal digits',
};

export const signingKey: KeyForm<string> = {
  read: pemOf,
  // The public key's digest: codes that were signed before keys had ids name it.
  digested: (pem) => createPublicKey(pem).export({ type: 'spki', format: 'der' }),
  rule: 'must be an Ed25519 private key: PEM, or its 32-byte seed as base64',
};

/** The id of its key in a payload from before keys had ids. */
export const derivedId = (pem: string): string => derivedKeyId(signingKey.digested(pem));

/** A key with or without an id, a whole PEM among them: commas, spaces and line ends part them. */
const item = /(?:([A-Za-z0-9_-]{1,32}):)?(-----BEGIN [^-]+-----[^-]+-----END [^-]+-----|[^\s,]+)/g;

/**
 * The ring that `id:key,id:key` writes, or one key a line (rules/keys#1). A key without an id has
 * one that is derived from it.
 * @param name of the setting, for the lines in `faults`; a line never contains a key
 */
export function ringOf<Key>(
  name: string,
  text: string,
  form: KeyForm<Key>,
  faults: string[],
): KeyRing<Key> | null {
  const before = faults.length;
  const keys: RingKey<Key>[] = [];
  // An environment file can hold a PEM only in one line, its breaks written out.
  for (const [, id, written = ''] of text.replaceAll('\\n', '\n').matchAll(item)) {
    const key = form.read(written);
    if (key === null)
      faults.push(id ? `${name}: the key ${id} ${form.rule}` : `${name} ${form.rule}`);
    else keys.push({ id: id ?? derivedKeyId(form.digested(key)), key });
  }
  // A text with a space in it is one fault, not one for each word.
  faults.splice(before, Infinity, ...new Set(faults.slice(before)));
  const twice = keys.find(({ id }, place) => keys.findIndex((one) => one.id === id) < place);
  if (twice) faults.push(`${name} has two keys with the id ${twice.id}`);
  const digests = keys.map(({ key }) => derivedKeyId(form.digested(key)));
  if (!twice && new Set(digests).size < keys.length)
    faults.push(`${name} has one key under two ids`);
  const [first, ...others] = keys;
  if (!first && faults.length === before) faults.push(`${name} must hold at least one key`);
  return first && faults.length === before ? [first, ...others] : null;
}

/** The settings that are rings. */
export const ringNames = ['SEALING_KEY', 'PIN_PEPPER', 'QR_SIGNING_KEY', 'IDENTITY_KEY'] as const;
export type RingName = (typeof ringNames)[number];

/** A key as `keys status` and a database name it: by its setting and its id, never by its bytes. */
export interface KeyCheck {
  readonly name: RingName;
  readonly id: string;
  /** Tells whether it is the key that had this id before. A key keeps it under another id. */
  readonly check: string;
}

/** The rings, as the settings hold them. */
export interface Rings {
  readonly sealingKeys: KeyRing;
  readonly pinPeppers: KeyRing;
  readonly qrSigningKeys: KeyRing<string>;
  /** Null: no vault of identity data. */
  readonly identityKeys: KeyRing | null;
}

/** Every key of the settings; the first of each name is the one that signs and seals. */
export function keyChecks(rings: Rings): readonly KeyCheck[] {
  const signing = mapRing(rings.qrSigningKeys, (pem) => Buffer.from(pem));
  const of = (name: KeyCheck['name'], ring: KeyRing) =>
    ring.map(({ id, key }) => ({ name, id, check: checkOf(key) }));
  return [
    ...of('SEALING_KEY', rings.sealingKeys),
    ...of('PIN_PEPPER', rings.pinPeppers),
    ...of('QR_SIGNING_KEY', signing),
    ...(rings.identityKeys ? of('IDENTITY_KEY', rings.identityKeys) : []),
  ];
}
