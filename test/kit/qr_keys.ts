import { randomBytes } from 'node:crypto';
import type { KeyRing, RingKey } from '../../engine/key_ring.ts';
import { signingKeyPem } from '../../service/config/key_rings.ts';

export const newQrKey = (id: string): RingKey<string> => ({
  id,
  key: signingKeyPem(randomBytes(32)),
});

/** A ring whose key `newer` signs, so that `older` can be revoked. */
export const twoQrKeys = (): KeyRing<string> => [newQrKey('newer'), newQrKey('older')];
