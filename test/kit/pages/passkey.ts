import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/**
 * A passkey in software (WebAuthn Level 3): ES256, attestation `none`. Every part of what it says can
 * be replaced, so that a test can forge what no honest authenticator would.
 */

/** Flags of the authenticator data (WebAuthn Level 3, 6.1). */
export const flags = {
  userPresent: 1,
  userVerified: 4,
  /** The flags of a passkey that may be, and is, on several devices. */
  backedUp: 8 | 16,
  attested: 64,
  extended: 128,
} as const;

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  const bytes = Buffer.from([(major << 5) | 25, 0, 0]);
  bytes.writeUInt16BE(value, 1);
  return bytes;
}

/** Encodes as much of RFC 8949 as a key and an attestation need. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

/** A public key as COSE writes it (RFC 9053, 7.1.1): kty EC2, alg ES256, curve P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const facts: [number, Cbor][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ];
  return cbor(new Map(facts));
}

/** Claims that may be other than they should be. */
export interface Claims {
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  /** The origin of the page that holds the frame in which it was asked. */
  readonly topOrigin?: string;
  /** It was asked in another site's frame; absent: where that site is named. */
  readonly crossOrigin?: boolean;
  /** Behind the authenticator's data. */
  readonly trailing?: Buffer;
  /** Signs instead of the passkey's own key. */
  readonly key?: KeyObject;
}

interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id?: string };
}

export interface Answer {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly clientExtensionResults: object;
  readonly response: Readonly<Record<string, string>>;
}

export interface Passkey {
  readonly id: string;
  /** The passkey as a browser's virtual authenticator takes it over. */
  exported(): {
    readonly credentialId: string;
    readonly privateKey: string;
    readonly signCount: number;
  };
  /** Answers `navigator.credentials.create`. */
  create(options: Options, claims?: Claims): Answer;
  /** Answers `navigator.credentials.get`. */
  get(options: Options, claims?: Claims): Answer;
}

/** A passkey of a site; nobody knows it until it was created there. */
export function newPasskey(origin: string): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(32);
  const id = base64url(rawId);
  let counter = 0;

  function clientData(type: string, { challenge }: Options, claims: Claims): Buffer {
    const { origin: from = origin, topOrigin, crossOrigin = topOrigin !== undefined } = claims;
    const facts = { type: claims.type ?? type, challenge, origin: from };
    return Buffer.from(JSON.stringify({ ...facts, crossOrigin, topOrigin }));
  }

  function authenticatorData(ownFlags: number, claims: Claims, attested = Buffer.alloc(0)): Buffer {
    const { rpId = new URL(origin).hostname, trailing = Buffer.alloc(0) } = claims;
    const count = Buffer.alloc(4);
    counter += 1;
    count.writeUInt32BE(claims.counter ?? counter);
    const set = Buffer.from([claims.flags ?? ownFlags]);
    return Buffer.concat([sha256(rpId), set, count, attested, trailing]);
  }

  const answer = (response: Answer['response']): Answer => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  const seen = flags.userPresent | flags.userVerified;

  return {
    id,
    exported: () => ({
      credentialId: rawId.toString('base64'),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      signCount: counter,
    }),
    create(options, claims = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey(publicKey)]);
      const data = authenticatorData(seen | flags.attested, claims, attested);
      const attestation: [string, Cbor][] = [
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ];
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', options, claims)),
        attestationObject: base64url(cbor(new Map(attestation))),
      });
    },
    get(options, claims = {}) {
      const client = clientData('webauthn.get', options, claims);
      const data = authenticatorData(seen, claims);
      const signed = Buffer.concat([data, sha256(client)]);
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', signed, claims.key ?? privateKey)),
      });
    },
  };
}
