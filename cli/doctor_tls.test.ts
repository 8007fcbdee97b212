import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../scripts/doctor/finding.ts';
import { startTlsServer } from '../test/kit/database/tls_server.ts';
import { makeAuthority } from '../test/kit/http/certificates.ts';
import { programs } from '../test/kit/processes/built.ts';
import { freePort } from '../test/kit/processes/free_port.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'tpay-doctor-tls-'));
const authority = makeAuthority();
const ca = join(folder, 'ca.pem');
writeFileSync(ca, authority.cert);

/** Its findings about a database whose certificate is good for so many hours. */
async function found(validHours: number): Promise<(part: string) => Finding | undefined> {
  const database = await startTlsServer(authority.issue({ names: ['localhost'], validHours }));
  onTestFinished(() => database.stop());
  const { password, port } = database;
  const out: string[] = [];
  await run(['doctor', '--json'], {
    env: {
      PATH: process.env.PATH ?? '',
      ENVIRONMENT: 'sandbox',
      DATA_DIR: folder,
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      DATABASE_URL: `postgresql://postgres:${password}@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${ca}`,
    },
    programs,
    out: (line) => out.push(line),
    err: () => {},
  });
  const { findings } = JSON.parse(out.join('')) as { findings: readonly Finding[] };
  return (part) => findings.find((one) => one.part === part);
}

test('the doctor tells the days that the database’s certificate is good for, and warns of the last three weeks', async () => {
  const soon = await found(2);
  expect(soon('tls')).toEqual({
    part: 'tls',
    state: 'warning',
    what: 'the certificate of DATABASE_URL is good for 0 days',
    advice: 'Renew it.',
  });
  expect(soon('database')).toMatchObject({ state: 'ok' });
});

test('a certificate that has ended is the cause tls', async () => {
  const ended = await found(-1);
  expect(ended('database')?.what).toMatch(/^DATABASE_URL: tls: /);
  rmSync(folder, { recursive: true });
});
