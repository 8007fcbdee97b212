import type { Buffer } from 'node:buffer';
import type { TestServer } from '../server.ts';

const written = (ring: readonly { readonly id: string; readonly key: Buffer | string }[]): string =>
  ring
    .map(({ id, key }) => `${id}:${typeof key === 'string' ? key : key.toString('hex')}`)
    .join(',');

/** The environment of another process of a test server's deployment. */
export function settingsOf({ service, databaseUrl, serviceUrl }: TestServer) {
  const { environment, sealingKeys, pinPeppers, qrSigningKeys, identityKeys } = service.config;
  return {
    PATH: process.env.PATH ?? '',
    ENVIRONMENT: environment,
    DATABASE_URL: serviceUrl,
    MIGRATION_DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'https://pay.example.com',
    // Named, since production asks for it; only a service loads it.
    RAILS: './rails.js',
    SEALING_KEY: written(sealingKeys),
    PIN_PEPPER: written(pinPeppers),
    QR_SIGNING_KEY: written(qrSigningKeys),
    IDENTITY_KEY: written(identityKeys ?? []),
  };
}
