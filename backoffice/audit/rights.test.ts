import { beforeEach, expect, test } from 'vitest';
import { newPasskey } from '../../test/kit/pages/passkey.ts';
import { portalPerson } from '../../test/kit/people.ts';
import { startTestServer } from '../../test/kit/server.ts';
import { openAuditNightly } from './nightly.ts';
import { unexplainedRights } from './rights.ts';

/** The night's proof holds roles, passkeys and keys against the audit (rules/audit#22). */

const logged: Record<string, unknown>[] = [];
const server = await startTestServer({
  environment: 'production',
  workers: false,
  // The owner of control alone lists what is known.
  alone: true,
  onLog: (line) => logged.push(JSON.parse(line)),
});
const { service, tenant } = server;
/** Writes by the service's login, which may write these tables. */
const write = (sql: string, ...values: unknown[]) => service.control.query(sql, values);
const found = () => unexplainedRights(service.control);

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const admin = await portalPerson(server, 'platform', ['admin']);
const owner = await portalPerson(server, tenant.tenantId, ['owner']);
const member = await portalPerson(server, tenant.tenantId, ['reader']);
const key = (
  await owner.ask('POST', '/api-keys', { name: 'x', roles: ['reader'], expires_at: inAnHour })
).body;

beforeEach(() => {
  logged.length = 0;
});

test('what people do to roles, passkeys and keys by the service is explained', async () => {
  await owner.ask('PUT', `/members/${member.id}`, { roles: ['finance', 'developer'] });
  const { options } = (await owner.ask('POST', '/my-passkeys/begin')).body;
  const credential = newPasskey(new URL(service.config.publicUrl).origin).create(options);
  expect((await owner.ask('POST', '/my-passkeys', { credential, name: 'Key' })).status).toBe(201);
  expect(await found()).toEqual([]);
  await openAuditNightly(service).verifyNow();
  expect(logged.filter(({ alarm }) => alarm !== undefined)).toEqual([]);
});

const damages: readonly (readonly [string, string, readonly unknown[], string, object])[] = [
  [
    'a role that was written past the service',
    `insert into control.role_grants (scope, person_id, role, granted_at) values ('platform', $1, 'admin', now())`,
    [member.id],
    `delete from control.roles where scope = 'platform' and person_id = $1`,
    { kind: 'role', name: `platform ${member.id} admin` },
  ],
  [
    'a role beside those that were given',
    `insert into control.role_grants (scope, person_id, role, granted_at) values ('platform', $1, 'support', now())`,
    [admin.id],
    `delete from control.roles where role = 'support' and person_id = $1`,
    { kind: 'role', name: `platform ${admin.id} support` },
  ],
  [
    'a key that was given another role',
    `update control.api_keys set roles = '{owner}' where id = $1`,
    [key.id],
    `update control.api_keys set roles = '{reader}' where id = $1`,
    { kind: 'api_key', name: `${tenant.tenantId} ${key.id}` },
  ],
  [
    'a key that was made to last',
    `update control.api_keys set expires_at = expires_at + interval '1 year' where id = $1`,
    [key.id],
    `update control.api_keys set expires_at = expires_at - interval '1 year' where id = $1`,
    { kind: 'api_key', name: `${tenant.tenantId} ${key.id}` },
  ],
  [
    'a passkey that was put in the place of another',
    `update control.person_passkeys set public_key = public_key || 'x' where person_id = $1`,
    [admin.id],
    `update control.person_passkeys set public_key = rtrim(public_key, 'x') where person_id = $1`,
    { kind: 'passkey', name: expect.stringMatching(`^${admin.id} `) },
  ],
];

test.each(damages)('%s is an alarm', async (_, damage, values, repair, expected) => {
  await write(damage, ...values);
  await openAuditNightly(service).verifyNow();
  const alarms = logged.filter(({ alarm }) => alarm === 'audit');
  expect(alarms).toMatchObject([{ level: 50, rights: [expected] }]);
  expect((await service.meters.auditFaults.get()).values[0]?.value).toBe(1);
  await write(repair, ...values);
  expect(await found()).toEqual([]);
});

test('a role that was taken is unexplained when it comes back by itself', async () => {
  await owner.ask('DELETE', `/members/${member.id}`);
  expect(await found()).toEqual([]);
  await write(
    `update control.role_grants set ended_at = null
     where scope = $1 and person_id = $2 and role = 'finance'`,
    tenant.tenantId,
    member.id,
  );
  expect(await found()).toEqual([
    { kind: 'role', name: `${tenant.tenantId} ${member.id} finance` },
  ]);
});

test('what is listed as known needs no row of the audit', async () => {
  await write(
    `insert into control.passkeys (id, person_id, credential_id, public_key, counter, transports, name,
       created_at) values (gen_random_uuid(), $1, 'cred', 'key', 0, '', 'Before', now())`,
    admin.id,
  );
  await write(
    `insert into control.api_keys (id, key_hash, scope, name, roles, person_id, made_by, created_at, expires_at)
     values (gen_random_uuid(), 'hash', 'platform', 'Before', '{support,reviewer}', $1, 'portal', now(), $2)`,
    admin.id,
    inAnHour,
  );
  await write(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ('platform', $1, 'support', now())`,
    owner.id,
  );
  expect((await found()).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['role', 'passkey', 'api_key']),
  );
  for (const held of [
    `'role', concat_ws(' ', scope, person_id, role) from control.roles`,
    `'passkey', concat_ws(' ', id, person_id, encode(sha256(convert_to(public_key, 'UTF8')), 'hex'))
      from control.person_passkeys`,
    `'api_key', concat_ws(' ', id, scope, person_id, key_hash, array_to_string(roles, ','))
      from control.api_keys`,
  ])
    await server.owner.query(`insert into control.known_rights (kind, name) select ${held}`);
  // A role that the audit says was taken stays unexplained.
  expect(await found()).toEqual([
    { kind: 'role', name: `${tenant.tenantId} ${member.id} finance` },
  ]);
});

test("the service's login adds nothing to what was known", async () => {
  for (const statement of [
    `insert into control.known_rights values ('role', 'x')`,
    'delete from control.known_rights',
  ])
    await expect(write(statement)).rejects.toThrow('permission denied');
});
