import { randomBytes } from 'node:crypto';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { expect, test } from 'vitest';
import { openDevice } from '../../../test/kit/device.ts';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import {
  enrol,
  invitation,
  openBrowser,
  portalPerson,
  samplePerson,
  tokenOf,
} from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { sandboxSignInLink } from './sandbox_link.ts';
import { keySecrets, type SecretKind, storedSecret } from './stored_secrets.ts';

/** How secrets are stored that sign somebody in (rules/sign-in#20). */

const server = await openServer({ own: true, workers: false, alone: true });
const { owner, service, tenant } = server;
const { tenantId } = tenant;

const secretOf = (cookie: string | null): string => (cookie ?? '').replace(/^[^=]+=/, '');
const sessionBy = (token: string) => {
  const browser = openBrowser(server);
  browser.setCookie(`tp=${token}`);
  return browser.ask('GET', '/session');
};
const byCookie = async (token: string) => (await sessionBy(token)).status;

/** Stores a value as a release before this one did. */
const plainly = (table: string, column: string, id: string, value: string, secret: string) =>
  owner.query(`update control.${table} set ${column} = $1 where ${id} = $2`, [
    tokenHash(secret),
    value,
  ]);

test('whoever writes the database and has no key makes no session', async () => {
  const ruth = await portalPerson(server, 'platform', ['admin']);
  const mine = `tps_${'m'.repeat(43)}`;
  await service.control.query(
    `insert into control.sessions (id, token_hash, person_id, scope, opened_by, wants_passkey, created_at,
       last_used_at, expires_at, stepped_up_at, address, browser, last_address, last_browser)
     select gen_random_uuid(), $1, person_id, scope, opened_by, false, now(), now(),
       now() + interval '1 hour', now(), '127.0.0.1', '', '127.0.0.1', ''
     from control.sessions where person_id = $2`,
    [tokenHash(mine), ruth.id],
  );
  expect(await byCookie(mine)).toBe(401);
  expect(await byCookie(secretOf(ruth.cookie()))).toBe(200);
});

test("no start hashes again, and the service's login takes the mark away from nobody", async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const token = secretOf(ruth.cookie());
  await plainly('sessions', 'token_hash', 'person_id', ruth.id, token);
  await keySecrets(service.control, service.vault);
  expect(await byCookie(token)).toBe(401);
  for (const statement of [
    'delete from',
    'truncate',
    'update control.keyed_secrets set at = now();',
  ])
    await expect(
      service.control.query(
        statement.startsWith('update') ? statement : `${statement} control.keyed_secrets`,
      ),
    ).rejects.toThrow('permission denied');
});

test('what a release before has given out stays good', async () => {
  const ruth = await portalPerson(server, tenantId, ['developer']);
  const sam = await samplePerson(server, tenantId);
  const link = await invitation(server, {
    scope: tenantId,
    email: 'old@example.com',
    roles: ['reader'],
  });
  const { begun, poll } = await openDevice(server);
  const [code = ''] = ruth.recoveryCodes;
  await plainly('sessions', 'token_hash', 'person_id', ruth.id, secretOf(ruth.cookie()));
  await plainly('invitations', 'token_hash', 'email', 'old@example.com', link.replace(/^.*=/, ''));
  await owner.query(
    `update control.device_sign_ins set device_code_hash = $1 where client_name = 'Laptop of Ana'`,
    [tokenHash(begun.device_code)],
  );
  await owner.query(
    `update control.recovery_codes set code_hash = $1 where ctid = (
       select min(ctid) from control.recovery_codes where person_id = $2)`,
    [tokenHash(code.replaceAll('-', '')), ruth.id],
  );
  expect(await byCookie(secretOf(ruth.cookie()))).toBe(401);
  // Everything else stands as this release stores it, and is left alone here.
  await owner.query(
    `update control.sessions set ended_at = now(), end_reason = 'signed_out' where person_id <> $1`,
    [ruth.id],
  );
  await owner.query('delete from control.keyed_secrets');
  await keySecrets(service.control, service.vault);
  expect(await byCookie(secretOf(ruth.cookie()))).toBe(200);
  expect((await sam.ask('GET', '/session')).status).toBe(401);
  expect((await enrol(server, link)).reply.status).toBe(200);
  expect(refusalLine(await poll())).toBe('invalid_state authorization_pending');
  const recovery = { email: ruth.email, recovery_code: code };
  expect((await openBrowser(server).ask('POST', '/sign-in/recovery', recovery)).status).toBe(200);
});

/** Puts a secret of that release's form in the place of one of ours. */
async function unmarked(kind: SecretKind, table: string, column: string, ours: string) {
  const theirs = `${ours.slice(0, 4)}${randomBytes(32).toString('base64url')}`;
  const { rowCount } = await owner.query(
    `update control.${table} set ${column} = $2 where ${column} = $1`,
    [ours, theirs].map((secret) => storedSecret(service, kind, secret)),
  );
  expect(rowCount).toBe(1);
  return theirs;
}

test('what 1.0.0 has given out, which has no mark, stays good', async () => {
  const ruth = await portalPerson(server, tenantId, ['developer']);
  const given = { scope: tenantId, email: 'unmarked@example.com', roles: ['reader'] } as const;
  const invited = tokenOf(await invitation(server, given));
  const link = tokenOf(await sandboxSignInLink(service, tenantId));
  const { begun } = await openDevice(server);
  const cookie = secretOf(ruth.cookie());
  expect(await byCookie(await unmarked('session', 'sessions', 'token_hash', cookie))).toBe(200);
  const token = await unmarked('invitation', 'invitations', 'token_hash', invited);
  expect((await enrol(server, `#invitation=${token}`)).reply.status).toBe(200);
  const old = { token: await unmarked('link', 'sign_in_links', 'token_hash', link) };
  expect((await openBrowser(server).ask('POST', '/sign-in/link', old)).status).toBe(200);
  const at = '/device-sign-in/token';
  const code = await unmarked(
    'device_code',
    'device_sign_ins',
    'device_code_hash',
    begun.device_code,
  );
  const polled = await openBrowser(server).ask('POST', at, { device_code: code });
  expect(refusalLine(polled)).toBe('invalid_state authorization_pending');
});

test('a session of 1.0.0 takes nothing from what its network has for cookies that are made up', async () => {
  const ruth = await portalPerson(server, tenantId, ['developer']);
  const ours = secretOf(ruth.cookie());
  const theirs = await unmarked('session', 'sessions', 'token_hash', ours);
  /** The requests that are left to the network, after one more. */
  async function left(): Promise<number> {
    const { status, headers } = await sessionBy(`tps_${randomBytes(32).toString('base64url')}`);
    expect(status).toBe(401);
    return Number(headers.get('ratelimit-remaining'));
  }
  const before = await left();
  for (let count = 0; count < 5; count += 1) expect(await byCookie(theirs)).toBe(200);
  // A new window begins with more.
  expect(await left()).toBeGreaterThanOrEqual(before - 1);
});
