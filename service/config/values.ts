import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { tlsFault } from '../db/tls.ts';

/** Each fault is one line for the operator. It never contains the value, which may be a secret. */
export type Faults = string[];

/** The bytes before the 32-byte seed in a PKCS#8 Ed25519 private key (RFC 8410). */
const ed25519Header = Buffer.from('302e020100300506032b657004220420', 'hex');
export const keyBytes = 32;

export type Environment = 'sandbox' | 'production';

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
    // An environment file can hold a PEM only in one line, its breaks written out.
    const key = createPrivateKey(text.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyType !== 'ed25519') return null;
    return String(key.export({ format: 'pem', type: 'pkcs8' }));
  } catch {
    return null;
  }
}

/** An address, or a range of them as `10.0.0.0/8`. */
function isAddress(text: string): boolean {
  const [address = '', length = '0', ...more] = text.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && more.length === 0 && /^\d+$/.test(length) && +length <= longest;
}

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

  return {
    word,
    words<const W extends string>(name: string, words: readonly W[]): readonly W[] {
      const parts = value(name)
        ?.split(',')
        .map((part) => part.trim());
      if (parts === undefined) return words;
      const known = words.filter((candidate) => parts.includes(candidate));
      if (parts.some((part) => !(words as readonly string[]).includes(part)))
        faults.push(`${name} must be a list, by commas, of ${words.join(', ')}`);
      return known;
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
    url(name: string, fallback: string): string {
      const text = value(name);
      if (text === undefined) return fallback;
      const url = URL.canParse(text) ? new URL(text) : null;
      const plain = url && !url.search && !url.hash && !url.username && !url.password;
      if (!plain || (url.protocol !== 'http:' && url.protocol !== 'https:'))
        faults.push(`${name} must be an http or https address without user, query and fragment`);
      return text.replace(/\/+$/, '');
    },
    addresses(name: string): readonly string[] {
      const listed = (value(name) ?? '').split(',').map((part) => part.trim());
      const parts = listed.filter((part) => part !== '');
      if (!parts.every(isAddress))
        faults.push(`${name} must be a list, by commas, of IP addresses or ranges as 10.0.0.0/8`);
      return parts;
    },
    databaseUrl(name: string, environment: Environment): string | null {
      const text = value(name);
      if (text === undefined) return null;
      const fault = /^postgres(ql)?:\/\//.test(text)
        ? tlsFault(text, environment, value('PGHOST'))
        : 'must begin with postgresql://';
      if (fault !== null) faults.push(`${name} ${fault}`);
      return text;
    },
    key(name: string, text: string | null): Buffer | null {
      const key = text === null ? null : keyOf(text);
      if (text !== null && key === null)
        faults.push(`${name} must be 32 bytes, as base64 or as 64 hexadecimal digits`);
      return key;
    },
    signingKey(name: string, text: string | null): string | null {
      const pem = text === null ? null : pemOf(text);
      if (text !== null && pem === null)
        faults.push(`${name} must be an Ed25519 private key: PEM, or its 32-byte seed as base64`);
      return pem;
    },
  };
}
