import { randomBytes } from 'node:crypto';
import { ConfigError, parseConfig } from '@tenant-payments/service/config/config.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { withLibpqModes } from './tls.ts';

const production = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://pay.example',
  RAILS: './rails.js',
  PIN_PEPPER: randomBytes(32).toString('hex'),
  SEALING_KEY: randomBytes(32).toString('hex'),
  QR_SIGNING_KEY: randomBytes(32).toString('hex'),
};

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, []);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const remote = 'postgresql://pay:hunter2@db.example.com/pay';

test.each([
  remote,
  `${remote}?application_name=x`,
  'postgresql://pay@10.0.0.7:5432/pay',
  'postgresql://pay@localhost.example.com/pay',
  'postgresql://pay@127.0.0.1.example.com/pay',
  'postgresql://pay@localhost/pay?host=db.example.com',
  'postgresql://pay@[2001:db8::1]/pay',
  `${remote}?ssl=true`,
])('production refuses %s, which says nothing of TLS', (DATABASE_URL) => {
  const faults = faultsOf({ ...production, DATABASE_URL });
  expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL must say sslmode in production/)]);
  expect(faults.join()).not.toContain('hunter2');
  expect(faultsOf({ ENVIRONMENT: 'sandbox', DATABASE_URL })).toEqual([]);
});

test.each([
  'postgresql://pay@localhost/pay',
  'postgresql://pay@127.0.0.1:5433/pay',
  'postgresql://pay@[::1]/pay',
  'postgresql:///pay?host=/run/postgresql',
  'postgresql://pay@%2Frun%2Fpostgresql/pay',
  'postgresql:///pay',
  `${remote}?sslmode=verify-full`,
  ...['disable', 'require'].map((mode) => `postgresql://pay@127.0.0.1/pay?sslmode=${mode}`),
  `${remote}?sslmode=verify-ca&sslrootcert=/etc/pay/ca.pem`,
])('production takes %s', (DATABASE_URL) => {
  expect(faultsOf({ ...production, DATABASE_URL })).toEqual([]);
});

test.each(['disable', 'require'])(
  'production refuses sslmode=%s of another machine, which proves no server',
  (mode) => {
    const DATABASE_URL = `${remote}?sslmode=${mode}`;
    const faults = faultsOf({ ...production, DATABASE_URL });
    expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL must have verify-full or/)]);
    expect(faultsOf({ ENVIRONMENT: 'sandbox', DATABASE_URL })).toEqual([]);
  },
);

test('an address that names no host is that of PGHOST', () => {
  const DATABASE_URL = 'postgresql:///pay';
  expect(faultsOf({ ...production, DATABASE_URL, PGHOST: 'db.example.com' })).toHaveLength(1);
  expect(faultsOf({ ...production, DATABASE_URL, PGHOST: '/run/postgresql' })).toEqual([]);
});

test.each([
  [`${remote}?sslmode=prefer`, /^DATABASE_URL must have one of these as sslmode: disable, /],
  [`${remote}?sslmode=allow`, /^DATABASE_URL must have one of these as sslmode/],
  [`${remote}?sslmode=no-verify`, /^DATABASE_URL must have one of these as sslmode/],
  [`${remote}?sslmode=verify-full&sslmode=prefer`, /^DATABASE_URL must have one of these/],
  [`${remote}?sslmode=verify-ca`, /^DATABASE_URL must name the file of its authority/],
  ['postgresql://host:port/pay', /^DATABASE_URL must be an address such as/],
])('no environment takes %s', (DATABASE_URL, line) => {
  for (const env of [production, { ENVIRONMENT: 'sandbox' }])
    expect(faultsOf({ ...env, DATABASE_URL })).toEqual([expect.stringMatching(line)]);
});

/** pg's TLS options for an address, before it connects. */
function tlsOf(url: string): unknown {
  const client = new pg.Client(withLibpqModes(url));
  return client.ssl;
}

test('each sslmode means what it means to libpq', () => {
  expect(tlsOf(remote)).toBe(false);
  expect(tlsOf(`${remote}?sslmode=disable`)).toBe(false);
  expect(tlsOf(`${remote}?sslmode=require`)).toEqual({ rejectUnauthorized: false });
  expect(tlsOf(`${remote}?sslmode=verify-full`)).toEqual({});
  const authority = `sslrootcert=${encodeURIComponent(new URL(import.meta.url).pathname)}`;
  expect(tlsOf(`${remote}?sslmode=verify-ca&${authority}`)).toEqual({
    ca: expect.stringContaining('libpq'),
    checkServerIdentity: expect.any(Function),
  });
  expect(tlsOf(`${remote}?sslmode=verify-full&${authority}`)).toEqual({
    ca: expect.stringContaining('libpq'),
  });
});
