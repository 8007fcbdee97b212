import { openDictionary } from '@tenant-payments/engine/packed_text/dictionary.ts';
import { words } from './words.ts';

/** Headers of an attempt as they are stored: JSON text without the words that most of them repeat. */
declare const isPacked: unique symbol;
export type PackedHeaders = string & { readonly [isPacked]: true };

export type Headers = Readonly<Record<string, string>>;

const { pack, unpack } = openDictionary(words);

const digest = /[0-9a-f]{64}/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it marks a digest
const packedDigest = /\u001d([\w-]{43})/g;

const recoded = (text: string, from: 'hex' | 'base64url', to: 'hex' | 'base64url') =>
  Buffer.from(text, from).toString(to);

/** Also a digest, as of a signature, takes two thirds of its digits. */
export const packHeaders = (headers: Headers): PackedHeaders =>
  pack(
    JSON.stringify(headers).replace(digest, (hex) => `\u001d${recoded(hex, 'hex', 'base64url')}`),
  ) as PackedHeaders;

/** The headers that were packed, or that were stored before any were. */
export const unpackHeaders = (packed: PackedHeaders): Record<string, string> =>
  JSON.parse(
    unpack(packed).replace(packedDigest, (_code, text) => recoded(text, 'base64url', 'hex')),
  );
