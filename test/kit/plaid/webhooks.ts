import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** Messages as Plaid signs them: a JWT of the hash of their bytes. */

export type PublicKey = JWK & { expired_at: number | null };

/** The faults that a message may have. */
export interface Forging {
  readonly ageSeconds?: number;
  /** Signed for these bytes in place of the message's. */
  readonly signedBody?: string;
  /** Named in place of the key's own id. */
  readonly kid?: string;
  /** The header itself. */
  readonly jwt?: string;
}

export async function openSigner(keys: Map<string, PublicKey>) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const own = randomUUID();
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: own };
  keys.set(own, { ...key, created_at: 1_560_466_150, expired_at: null } as PublicKey);
  return async (body: string, { ageSeconds = 0, signedBody, kid = own, jwt }: Forging = {}) => {
    const request_body_sha256 = createHash('sha256')
      .update(signedBody ?? body)
      .digest('hex');
    return (
      jwt ??
      (await new SignJWT({ request_body_sha256 })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuedAt(Math.floor(Date.now() / 1_000) - ageSeconds)
        .sign(privateKey))
    );
  };
}
