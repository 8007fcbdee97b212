import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { newWebhookSecret } from './signature.ts';

/** The files by which the bank and its client prove themselves to each other. All are files of one folder. */
const files = {
  ca: 'ca.pem',
  serverCert: 'server.pem',
  serverKey: 'server.key',
  clientCert: 'client.pem',
  clientKey: 'client.key',
  webhookSecret: 'webhook_secret',
} as const;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const validMs = 2 * 365 * 24 * 3_600_000;
const hourMs = 3_600_000;

type Usage = 'serverAuth' | 'clientAuth';

/** An authority that vouches for what it issues, and then forgets its key. */
async function openAuthority() {
  const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  // Clocks of two machines may differ.
  const validity = {
    notBefore: new Date(Date.now() - hourMs),
    notAfter: new Date(Date.now() + validMs),
  };
  const keys = await makeKeys();
  const own: X509Certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=Sandbox bank authority',
      keys,
      signingAlgorithm: algorithm,
      ...validity,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ],
    },
    webcrypto,
  );
  async function issue(name: string, usage: Usage, hosts: readonly string[]) {
    const made = await makeKeys();
    const names = hosts.map((value) => ({
      type: isIP(value) ? ('ip' as const) : ('dns' as const),
      value,
    }));
    const cert = await X509CertificateGenerator.create(
      {
        subject: `CN=${name}`,
        issuer: own.subject,
        publicKey: made.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        ...validity,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage[usage]]),
          ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
        ],
      },
      webcrypto,
    );
    const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', made.privateKey));
    const lines = pkcs8.toString('base64').match(/.{1,64}/g) ?? [];
    const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''];
    return { cert: `${cert.toString('pem')}\n`, key: key.join('\n') };
  }
  return { cert: `${own.toString('pem')}\n`, issue };
}

async function make(folder: string, hosts: readonly string[]): Promise<void> {
  const authority = await openAuthority();
  const server = await authority.issue('Sandbox bank', 'serverAuth', hosts);
  const client = await authority.issue('Client of the sandbox bank', 'clientAuth', []);
  const texts = {
    serverCert: server.cert,
    serverKey: server.key,
    clientCert: client.cert,
    clientKey: client.key,
    webhookSecret: `${newWebhookSecret()}\n`,
    // The last one: where it is, all are.
    ca: authority.cert,
  } as const;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(texts)) {
    const path = join(folder, files[name as keyof typeof files]);
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

export type Keys = Readonly<Record<keyof typeof files, string>>;

/** The keys of a folder, made at the first start. @param hosts names and addresses of the server */
export async function keysOf(folder: string, hosts: readonly string[]): Promise<Keys> {
  if (!existsSync(join(folder, files.ca))) await make(folder, hosts);
  const read = async ([name, file]: [string, string]) =>
    [name, (await readFile(join(folder, file), 'utf8')).trim()] as const;
  return Object.fromEntries(await Promise.all(Object.entries(files).map(read))) as Keys;
}
