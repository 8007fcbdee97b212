import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { derivedKeyId, type KeyRing, type RingKey } from '@tenant-payments/engine/key_ring.ts';

/**
 * The content of a QR code or payment link (rules/payment-requests#8). A static one has no amt, no
 * exp.
 */
export interface QrContent {
  readonly v: 1;
  /** The payment request. */
  readonly id: string;
  readonly t: 'dynamic' | 'static';
  /** The merchant. */
  readonly mer: string;
  readonly amt?: number;
  /** Unix seconds. */
  readonly exp?: number;
  readonly env: 'sandbox' | 'production';
  readonly kid: string;
}

export type QrReading =
  | { readonly content: QrContent; readonly keyId: string; readonly refusal: null }
  | {
      readonly content: null;
      readonly refusal: 'malformed' | 'signature' | 'environment' | 'key_revoked';
    };

/** Signs and reads payloads: `tps1.` + base64url(JSON) + `.` + Ed25519 signature. */
export interface QrSigner {
  write(content: Omit<QrContent, 'v' | 'env' | 'kid'>): string;
  read(payload: string): QrReading;
}

const scheme = 'tps1';
const payloadForm = /^tps1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

function parseContent(encoded: string): QrContent | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    const { v, id, t, kid } = (value ?? {}) as Partial<QrContent>;
    const known = v === 1 && typeof id === 'string' && typeof kid === 'string';
    return known && (t === 'dynamic' || t === 'static') ? (value as QrContent) : null;
  } catch {
    return null;
  }
}

/** A key that verifies, with what payloads call it: before keys had ids it was its digest. */
function verifier({ id, key }: RingKey<string>) {
  const publicKey = createPublicKey(key);
  const digest = derivedKeyId(publicKey.export({ type: 'spki', format: 'der' }));
  return { id, publicKey, names: [id, digest] };
}

/** @param ring Ed25519, PKCS#8 (`QR_SIGNING_KEY`): the first signs, all verify (rules/keys#4) */
export function openQrSigner(ring: KeyRing<string>, environment: QrContent['env']): QrSigner {
  const [{ id: kid, key }] = ring;
  const privateKey = createPrivateKey(key);
  const verifiers = ring.map(verifier);
  return {
    write(content) {
      const whole: QrContent = { v: 1, ...content, env: environment, kid };
      const encoded = Buffer.from(JSON.stringify(whole)).toString('base64url');
      const signature = sign(null, Buffer.from(`${scheme}.${encoded}`), privateKey);
      return `${scheme}.${encoded}.${signature.toString('base64url')}`;
    },
    read(payload) {
      const [, encoded = '', signature = ''] = payloadForm.exec(payload) ?? [];
      const content = parseContent(encoded);
      if (!content) return { content: null, refusal: 'malformed' };
      const signed = Buffer.from(`${scheme}.${encoded}`);
      const bytes = Buffer.from(signature, 'base64url');
      // Unused bits of the last letter must be zero, so that a payload has one spelling.
      const isWhole = bytes.toString('base64url') === signature;
      const named = verifiers.filter(({ names }) => names.includes(content.kid));
      const signedBy = named.find(({ publicKey }) => verify(null, signed, publicKey, bytes));
      if (!isWhole || !signedBy) return { content: null, refusal: 'signature' };
      if (content.env !== environment) return { content: null, refusal: 'environment' };
      return { content, keyId: signedBy.id, refusal: null };
    },
  };
}
