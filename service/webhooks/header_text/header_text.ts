import { openDictionary } from '../../core/packed_text/dictionary.ts';
import { words } from './words.ts';

/** Headers of an attempt as they are stored: JSON text without the words that most of them repeat. */
declare const isPacked: unique symbol;
export type PackedHeaders = string & { readonly [isPacked]: true };

export type Headers = Readonly<Record<string, string>>;

const { pack, unpack } = openDictionary(words);

export const packHeaders = (headers: Headers): PackedHeaders =>
  pack(JSON.stringify(headers)) as PackedHeaders;

/** The headers that were packed, or that were stored before any were. */
export const unpackHeaders = (packed: PackedHeaders): Record<string, string> =>
  JSON.parse(unpack(packed));
