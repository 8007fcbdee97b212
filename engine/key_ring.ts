import { createHash, createHmac } from 'node:crypto';

/** A key with the id that is written beside whatever it seals, hashes or signs. */
export interface RingKey<Key = Buffer> {
  readonly id: string;
  readonly key: Key;
}

/** The first key signs and seals; all of them open and verify (rules/keys#1). */
export type KeyRing<Key = Buffer> = readonly [RingKey<Key>, ...RingKey<Key>[]];

/** The id of a key that was given none: a digest, so that it is the same at every start. */
export const derivedKeyId = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 8);

/** A value that tells whether a key is the one that was used before, and nothing else of it. */
export const checkOf = (key: Buffer): string =>
  createHmac('sha256', key).update('check').digest('hex').slice(0, 32);

/** The same ring over something made of each key. */
export function mapRing<From, To>(ring: KeyRing<From>, make: (key: From) => To): KeyRing<To> {
  const [first, ...others] = ring;
  const made = ({ id, key }: RingKey<From>): RingKey<To> => ({ id, key: make(key) });
  return [made(first), ...others.map(made)];
}

/** The keys to try for a value that names `id`: that key, or all when the ring has no such id. */
export function candidates<Key>(ring: KeyRing<Key>, id: string | null): readonly RingKey<Key>[] {
  const named = ring.filter((one) => one.id === id);
  return named.length > 0 ? named : ring;
}
