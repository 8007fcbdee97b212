import type { Kysely } from 'kysely';
import type { Database } from '../../database.ts';
import type { QrReading, QrSigner } from './qr.ts';
import { openRevokedQrKeys } from './revoked_qr_keys.ts';

/** Reads the payload of a code that is to be paid. */
export type QrReader = (payload: string) => Promise<QrReading>;

/** A code of a revoked key is refused, though its signature is right (rules/keys#12). */
export function openQrReader(db: Kysely<Database>, signer: QrSigner): QrReader {
  const isRevoked = openRevokedQrKeys(db);
  return async (payload) => {
    const reading = signer.read(payload);
    if (reading.content !== null && (await isRevoked(reading.keyId)))
      return { content: null, refusal: 'key_revoked' };
    return reading;
  };
}
