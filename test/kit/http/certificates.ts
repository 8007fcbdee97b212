import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/**
 * X.509 certificates made on the spot (RFC 5280), since Node reads but does not make them: the
 * receivers of the fault tests need trusted, expired, foreign and self-signed ones, and no private
 * key has to lie in the repository.
 */
export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Host names or IPv4 addresses. */
  readonly names: readonly string[];
  /** From now; negative lies in the past. */
  readonly validHours?: number;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length];
  return Buffer.concat([Buffer.from([tag, ...head.map((byte) => byte & 0xff)]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]) => der(0x31, ...parts);
const octets = (...parts: readonly Buffer[]) => der(0x04, ...parts);
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const integer = (content: Buffer) => der(0x02, content);
const yes = der(0x01, Buffer.from([0xff]));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = '550403';
const basicConstraints = '551d13';
const subjectAltName = '551d11';

const nameOf = (text: string) =>
  sequence(set(sequence(oid(commonName), der(0x0c, Buffer.from(text)))));

/** UTCTime, seconds. */
function timeOf(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

const altName = (name: string) =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));

function extensions(names: readonly string[], isAuthority: boolean): Buffer {
  const constraints = sequence(
    oid(basicConstraints),
    yes,
    octets(sequence(...(isAuthority ? [yes] : []))),
  );
  const alternatives = names.map(altName);
  const list =
    alternatives.length > 0
      ? [sequence(oid(subjectAltName), octets(sequence(...alternatives)))]
      : [];
  return der(0xa3, sequence(constraints, ...list));
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const hourMs = 3_600_000;

interface Signer {
  readonly name: string;
  readonly key: string;
}

function issue(subject: string, options: CertificateOptions, signer: Signer | null): Certificate {
  const { names, validHours = 24 } = options;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const untilMs = Date.now() + validHours * hourMs;
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    nameOf(signer?.name ?? subject),
    sequence(timeOf(untilMs - 1_000 * hourMs), timeOf(untilMs)),
    nameOf(subject),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    extensions(names, signer === null),
  );
  const signature = sign('sha256', content, signer?.key ?? key);
  return { key, cert: pem(sequence(content, ecdsaWithSha256, bits(signature))) };
}

/** A certificate that vouches for itself. */
export const selfSigned = (names: readonly string[]): Certificate => issue('self', { names }, null);

/** An authority of a test's own; `cert` is what a client has to trust. */
export function makeAuthority() {
  const name = 'Test Authority';
  const own = issue(name, { names: [] }, null);
  return {
    cert: own.cert,
    issue: (options: CertificateOptions): Certificate =>
      issue('receiver', options, { name, key: own.key }),
  };
}
