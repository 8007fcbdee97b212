import type { Message } from '@tenant-payments/service/rails/messages.ts';
import { beforeEach, expect, test } from 'vitest';
import { newPasskey } from '../../../test/kit/pages/passkey.ts';
import { answer, openBrowser, type PortalPerson, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';
import { platform } from '../scope.ts';
import { openNotices } from './notices.ts';

/** Nobody learns by the audit alone of what was done to the own sign-in, or who manages (rules/people#13). */

const lines: string[] = [];
const server = await openServer({ workers: false, alone: true, onLog: (line) => lines.push(line) });
const { rails } = server;
const tenantId = server.tenant.tenantId;
const admin = await portalPerson(server, platform, ['admin']);
const other = await portalPerson(server, platform, ['admin']);
const owner = await portalPerson(server, tenantId, ['owner']);

let sent: { scope: string; email: string; message: Message }[] = [];
Object.assign(rails.messages, {
  async send(message: Message) {
    const { tenantId: scope, to } = message;
    sent.push({ scope, email: 'email' in to ? to.email : '', message });
    return { providerId: null };
  },
});
beforeEach(async () => {
  await settled();
  sent = [];
});
/** Waits until the messages of earlier acts have been sent. */
const settled = () => new Promise((done) => setTimeout(done, 100));
const told = () => sent.map(({ email, message }) => `${message.template} ${email}`).sort();

async function proveTold(...expected: string[]): Promise<void> {
  await until(() => sent.length >= expected.length);
  await settled();
  expect(told()).toEqual(expected.sort());
}

async function addPasskey(by: PortalPerson): Promise<void> {
  const made = newPasskey(new URL(server.service.config.publicUrl).origin);
  const { body } = await by.ask('POST', '/my-passkeys/begin');
  const credential = made.create(body.options);
  const reply = await by.ask('POST', '/my-passkeys', { name: 'Phone', credential });
  expect(reply.status).toBe(201);
}

test('a person is told of a new passkey, in both languages, at the address that is known', async () => {
  await addPasskey(owner);
  await proveTold(`passkey_added ${owner.email}`);
  const { message, scope } = sent[0] ?? expect.fail();
  expect(scope).toBe(tenantId);
  const { subject, text } = message.rendered;
  expect(subject).toMatch(/^You have a new passkey \/ /);
  expect(text).toMatch(/^On \S+Z a passkey was made for you at \S+\. If you know nothing/);
  expect(text).toContain('clave de acceso');
});

test('a person is told that recovery codes were renewed, and that one was used', async () => {
  const person = await portalPerson(server, tenantId, ['reader']);
  await until(() => sent.length === 1);
  sent = [];
  const { body } = await person.ask('POST', '/my-recovery-codes');
  await proveTold(`recovery_codes_replaced ${person.email}`);
  const [recovery_code] = body.recovery_codes;
  const given = { email: person.email, recovery_code };
  expect((await openBrowser(server).ask('POST', '/sign-in/recovery', given)).status).toBe(200);
  await proveTold(`recovery_codes_replaced ${person.email}`, `recovery_code_used ${person.email}`);
});

test('a person is told of an API key', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  await answer(owner, 'sign-in', owner.passkey);
  const body = { name: 'Reports', roles: ['reader'], expires_at };
  expect((await owner.ask('POST', '/api-keys', body)).status).toBe(201);
  await proveTold(`api_key_made ${owner.email}`);
  expect(sent[0]?.message.rendered.text).toContain('with the roles reader');
});

test('of a new admin or reviewer every admin is told, and the person', async () => {
  const person = await portalPerson(server, platform, ['reviewer']);
  const admins = [admin, other].map(({ email }) => `manager_added ${email}`);
  await until(() => sent.length >= 3);
  expect(told()).toEqual(expect.arrayContaining([...admins, `roles_changed ${person.email}`]));
  await settled();
  sent = [];
  await admin.ask('PUT', `/staff/${person.id}`, { roles: ['reviewer', 'support'] });
  await proveTold(`roles_changed ${person.email}`);
  sent = [];
  await admin.ask('DELETE', `/staff/${person.id}`);
  await proveTold(`roles_changed ${person.email}`);
  expect(sent[0]?.message.rendered.text).toContain('became: none.');
});

test("a notice names the host at which people sign in, where it is the console's own", async () => {
  const config = { ...server.service.config, consoleUrl: 'https://console.example' };
  const { tell } = openNotices({ ...server.service, config }, rails.messages);
  tell({ kind: 'passkey_added', personId: owner.id, scope: tenantId });
  await proveTold(`passkey_added ${owner.email}`);
  expect(JSON.stringify(sent[0]?.message)).toContain('made for you at console.example.');
});

test('of a new owner the owners of the Tenant are told, and nobody elsewhere', async () => {
  const person = await portalPerson(server, tenantId, ['owner']);
  await until(() => told().includes(`manager_added ${owner.email}`));
  await settled();
  expect(told()).toContain(`roles_changed ${person.email}`);
  expect(told().join()).not.toContain(admin.email);
});

test('a message that cannot be sent keeps nothing from being done, and is a warning', async () => {
  const { send } = rails.messages;
  Object.assign(rails.messages, { send: () => Promise.reject(new Error('mail is down')) });
  lines.length = 0;
  await addPasskey(owner);
  const line = await until(() => lines.find((one) => one.includes('a notice to a person')));
  expect(JSON.parse(line)).toMatchObject({ level: 40, notice: 'passkey_added' });
  expect(line).not.toContain(owner.email);
  Object.assign(rails.messages, { send });
});
