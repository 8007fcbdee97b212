import type { Message } from '@tenant-payments/service/rails/messages.ts';
import { beforeEach, expect, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { answer, enrol, invitation, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { type Account, openProvider } from '../../../test/kit/sign_on/provider.ts';
import { openVisitor } from '../../../test/kit/sign_on/visitor.ts';
import { until } from '../../../test/kit/wait.ts';

let aheadMs = 0;
const server = await openServer({ own: true, workers: false, realNow: () => Date.now() + aheadMs });
const provider = await openProvider();
const { tenantId } = server.tenant;
const callback = `${server.service.config.publicUrl}/portal/sign-in/callback/${tenantId}`;
provider.allow('ours', [callback]);
const given = { issuer: provider.issuer, client_id: 'ours', client_secret: provider.secret };

const owner = await portalPerson(server, tenantId, ['owner']);
const put = (body: object) => owner.ask('PUT', '/single-sign-on', body);
expect((await put(given)).status).toBe(200);

beforeEach(async () => {
  await server.owner.query('delete from control.failed_attempts');
});

let made = 0;
/** Somebody who has an account at the provider, and is invited. */
async function invited(verified: unknown = true) {
  made += 1;
  const email = `sso-${made}@example.com`;
  await invitation(server, { scope: tenantId, email, roles: ['developer'] });
  const subject = `subject of ${email}`;
  provider.accounts.set(subject, { email, email_verified: verified, name: 'Sam Reed' });
  return { email, subject };
}

/** Through the provider and back. @returns the page that opens */
async function signIn(subject: string, visitor = openVisitor(server)) {
  provider.subject = subject;
  const address = await visitor.begin({ scope: tenantId });
  return { visitor, page: await visitor.comeBack(await visitor.visit(address)) };
}

async function signedIn() {
  const person = await invited();
  const { visitor, page } = await signIn(person.subject);
  expect(page).toBe('/portal');
  return { ...person, visitor };
}

const failed = (word: string) => `/portal/sign-in#failure=${word}`;

test('somebody who is invited signs in by the provider, and is known by the account from then on', async () => {
  const { email, subject, visitor } = await signedIn();
  const session = await visitor.ask('GET', '/session');
  expect(session.body).toMatchObject({
    person: { email, name: 'Sam Reed' },
    scope: tenantId,
    roles: ['developer'],
    fresh_until: null,
    passkeys: 0,
  });
  provider.accounts.set(subject, { email: 'renamed@example.com', email_verified: true });
  const again = await signIn(subject);
  const { body } = await again.visitor.ask('GET', '/session');
  expect(body.person.email).toBe(email);
});

test('an address that the provider has not verified, and nobody who is not invited, gets in', async () => {
  for (const verified of [false, null, 'false', 'yes'])
    expect((await signIn((await invited(verified)).subject)).page).toBe(
      failed('email_not_verified'),
    );
  provider.accounts.set('nobody', { email: 'nobody@example.com', email_verified: true });
  expect((await signIn('nobody')).page).toBe(failed('not_invited'));
});

test.each<[string, (email: string) => Account]>([
  ['all in the user information', (email) => ({ email, email_verified: true })],
  ['all in the ID token', (email) => ({ idToken: { email, email_verified: true } })],
  ['its verdict as text, as Cognito sends it', (email) => ({ email, email_verified: 'true' })],
  [
    'its verdict in the user information alone',
    (email) => ({ email_verified: true, idToken: { email } }),
  ],
])('an address counts that a provider verified with %s', async (_shape, accountOf) => {
  const { email, subject } = await invited();
  provider.accounts.set(subject, accountOf(email));
  const { page, visitor } = await signIn(subject);
  expect(page).toBe('/portal');
  expect((await visitor.ask('GET', '/session')).body.person).toMatchObject({ email });
});

test('an address without a verdict, as Entra sends it, counts where all are the organization’s own', async () => {
  const { email, subject } = await invited();
  provider.accounts.set(subject, { email, idToken: { email } });
  expect((await signIn(subject)).page).toBe(failed('email_not_verified'));
  expect((await put({ ...given, trust_email: true })).body).toMatchObject({ trust_email: true });
  expect((await signIn(subject)).page).toBe('/portal');
  for (const email_verified of [false, 'false']) {
    const refused = await invited();
    provider.accounts.set(refused.subject, { email_verified, idToken: { email: refused.email } });
    expect((await signIn(refused.subject)).page).toBe(failed('email_not_verified'));
  }
  expect((await put(given)).body).toMatchObject({ trust_email: false });
  const { rows } = await server.owner.query<{ body: string }>(
    "select body from control.audit where scope = $1 and act = 'putSingleSignOn' order by number",
    [tenantId],
  );
  const trusts = ({ body }: { body: string }) => JSON.parse(body).after.trust_email;
  expect(rows.map(trusts).slice(-2)).toEqual([true, false]);
});

test('a verdict counts for the address that it came with', async () => {
  const { email, subject } = await invited();
  const mine = { email: 'mine@example.com', email_verified: true };
  provider.accounts.set(subject, { ...mine, idToken: { email } });
  expect((await signIn(subject)).page).toBe(failed('not_invited'));
});

test('no letter beyond ASCII folds to one of an invited address', async () => {
  const email = 'mike.kasper@example.com';
  await invitation(server, { scope: tenantId, email, roles: ['developer'] });
  for (const other of ['mi\u212Ae.kasper@example.com', 'mike.ka\u017Fper@example.com']) {
    provider.accounts.set(other, { email: other, email_verified: true });
    expect((await signIn(other)).page).toBe(failed('malformed_claims'));
  }
  provider.accounts.set('Mike', { email: ' Mike.KASPER@Example.com ', email_verified: true });
  expect((await signIn('Mike')).page).toBe('/portal');
});

test.each([
  ['U+0000 in the address', { email: 'a\u0000b@example.com' }],
  ['half of an emoji in the address', { email: 'a\uD83D@example.com' }],
  ['no address at all in it', { email: 'sam' }],
  ['an address that is too long', { email: `${'a'.repeat(250)}@example.com` }],
])('claims with %s lead back to the sign-in page', async (_what, changes) => {
  const { subject } = await invited();
  provider.accounts.set(subject, { email_verified: true, ...changes });
  expect((await signIn(subject)).page).toBe(failed('malformed_claims'));
});

test('a subject that no identity can have leads back to the sign-in page', async () => {
  for (const subject of ['sub\u0000ject', 'x'.repeat(3_000)]) {
    const { email } = await invited();
    provider.accounts.set(subject, { email, email_verified: true });
    expect((await signIn(subject)).page).toBe(failed('malformed_claims'));
  }
});

test("a provider's name that nobody can read is not shown, and a long one is cut between characters", async () => {
  const longest = `${'a'.repeat(99)}\u{1f600}`;
  const names: [string, string | null][] = [
    ['Sam\0', null],
    ['Sam \uD83D', null],
    ['Sam \u202edeeR', null],
    ['\u3164', null],
    ['Jose\u0301 Reed', 'José Reed'],
    [`${longest}!`, longest],
  ];
  for (const [claimed, shown] of names) {
    const { email, subject } = await invited();
    provider.accounts.set(subject, { email, email_verified: true, name: claimed });
    const { visitor } = await signIn(subject);
    const { body } = await visitor.ask('GET', '/session');
    expect([claimed, body.person.name]).toEqual([claimed, shown ?? email]);
  }
});

test('a session of a provider reaches nothing beyond its scope, and none of the person', async () => {
  const { email, visitor } = await signedIn();
  const other = await server.anotherTenant();
  await server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) select $1, id, 'owner', now() from control.people where email = $2`,
    [other.tenantId, email],
  );
  expect((await visitor.ask('GET', '/session')).body.scopes).toHaveLength(1);
  const ask = async (method: string, path: string, body?: object) =>
    refusalLine(await visitor.ask(method, path, body));
  const refused = 'forbidden passkey_session_required';
  expect(await ask('POST', '/session/act', { scope: other.tenantId })).toBe(refused);
  expect(await ask('POST', '/my-passkeys/begin')).toBe(refused);
  expect(await ask('GET', '/my-sessions')).toBe(refused);
  expect(await ask('POST', '/my-recovery-codes')).toBe(refused);
  expect(await ask('GET', '/webhook-endpoint')).toBe('200');
  expect(await ask('GET', '/api-keys')).toBe('200');
});

test('whoever has a passkey is matched with no account by address, and links it once', async () => {
  const member = await portalPerson(server, tenantId, ['reader']);
  provider.accounts.set('of member', { email: member.email, email_verified: true });
  expect((await signIn('of member')).page).toBe(failed('link_first'));
  const visitor = openVisitor(server, member);
  const back = await visitor.visit(await visitor.begin({ return_to: '/portal/me' }, 'link'));
  expect(await visitor.comeBack(back)).toBe('/portal/me');
  const { visitor: later } = await signIn('of member');
  expect((await later.ask('GET', '/session')).body.person.id).toBe(member.id);
});

test('an invitation that somebody made for themselves is worth nothing at the provider', async () => {
  const { email, subject, visitor } = await signedIn();
  const { id } = (await visitor.ask('GET', '/session')).body.person;
  await owner.ask('DELETE', `/members/${id}`);
  await invitation(server, { scope: tenantId, email, roles: ['owner'] });
  const invitedBy = (person: string | null) =>
    server.owner.query('update control.invitations set invited_person = $1 where email = $2', [
      person,
      email,
    ]);
  await invitedBy(id);
  expect((await signIn(subject)).page).toBe(failed('not_invited'));
  await invitedBy(null);
  expect((await signIn(subject)).page).toBe('/portal');
});

test('no session links an account with another address', async () => {
  const [member, victim] = [
    await portalPerson(server, tenantId, ['reader']),
    await portalPerson(server, tenantId, ['owner']),
  ];
  provider.accounts.set('of victim', { email: victim.email, email_verified: true });
  provider.subject = 'of victim';
  const visitor = openVisitor(server, member);
  const back = await visitor.visit(await visitor.begin({}, 'link'));
  expect(await visitor.comeBack(back)).toBe('/portal#failure=other_person');
});

test('an address that was given to another account opens nothing of the first', async () => {
  const { email } = await signedIn();
  provider.accounts.set('successor', { email, email_verified: true });
  expect((await signIn('successor')).page).toBe(failed('link_first'));
});

test('an attempt is good once, in the browser that began it, for ten minutes', async () => {
  const { subject } = await invited();
  provider.subject = subject;
  const visitor = openVisitor(server);
  const begun = async () => visitor.visit(await visitor.begin({ scope: tenantId }));

  const once = await begun();
  expect(await visitor.comeBack(once)).toBe('/portal');
  expect(await visitor.comeBack(once)).toBe(failed('unknown_attempt'));

  const other = openVisitor(server);
  await other.begin({ scope: tenantId });
  const mine = await begun();
  expect(await other.comeBack(mine)).toBe(failed('unknown_attempt'));
  expect(await visitor.comeBack(mine)).toBe(failed('unknown_attempt'));

  const late = await begun();
  aheadMs += 10 * 60_000;
  expect(await visitor.comeBack(late)).toBe(failed('unknown_attempt'));
  aheadMs = 0;
});

test('a code with another nonce, of another client or of another issuer signs nobody in', async () => {
  const { subject } = await invited();
  provider.subject = subject;
  const visitor = openVisitor(server);
  const begin = async () => new URL(await visitor.begin({ scope: tenantId }));
  const end = async (url: URL) => visitor.comeBack(url.href);
  const back = async (url: URL) => new URL(await visitor.visit(url.href));

  const nonce = await begin();
  nonce.searchParams.set('nonce', 'another');
  expect(await end(await back(nonce))).toBe(failed('not_verified'));

  provider.allow('theirs', [callback]);
  const client = await begin();
  client.searchParams.set('client_id', 'theirs');
  expect(await end(await back(client))).toBe(failed('not_verified'));

  const challenge = await begin();
  challenge.searchParams.set('code_challenge', 'a'.repeat(43));
  expect(await end(await back(challenge))).toBe(failed('not_verified'));

  for (const iss of ['https://other.example', null]) {
    const mixed = await back(await begin());
    if (iss === null) mixed.searchParams.delete('iss');
    else mixed.searchParams.set('iss', iss);
    expect(await end(mixed)).toBe(failed('not_verified'));
  }
  const moved = await back(await begin());
  moved.pathname = '/portal/sign-in/callback/platform';
  expect(await end(moved)).toBe(failed('unknown_attempt'));
});

test('whoever cancels at the provider comes back to the sign-in page', async () => {
  provider.subject = null;
  const visitor = openVisitor(server);
  const back = await visitor.visit(await visitor.begin({ scope: tenantId }));
  expect(await visitor.comeBack(back)).toBe(failed('refused_by_provider'));
});

test('no sign-in leads to another site, and a scope without a provider is not found', async () => {
  const visitor = openVisitor(server);
  const begin = async (body: object) =>
    refusalLine(await visitor.ask('POST', '/single-sign-on/begin', body));
  for (const return_to of [
    '//evil.example',
    'https://evil.example',
    '/portal/../hosted',
    '/portal/x?y',
    '/docs',
  ])
    expect(await begin({ scope: tenantId, return_to })).toMatch(/^parameter_invalid/);
  expect(await begin({ scope: 'platform' })).toBe('not_found');
});

test('step-up is a sign-in at the provider after it was asked for, by the same person', async () => {
  const { subject, visitor } = await signedIn();
  const stepUp = async (change: (url: URL) => void = () => {}) => {
    const url = new URL(await visitor.begin({ return_to: '/portal/keys' }, 'step-up'));
    change(url);
    return visitor.comeBack(await visitor.visit(url.href));
  };
  const fresh = async () => (await visitor.ask('GET', '/session')).body.fresh_until;
  provider.subject = (await signedIn()).subject;
  visitor.leaveProvider();
  expect(await stepUp()).toBe('/portal/keys#failure=other_person');
  visitor.leaveProvider();
  provider.subject = subject;
  expect(await fresh()).toBeNull();
  const before = visitor.cookie();
  expect(await stepUp()).toBe('/portal/keys');
  expect(await fresh()).not.toBeNull();
  expect(visitor.cookie()).not.toBe(before);
  // The provider's own sign-in of a minute ago, as if it had not asked.
  aheadMs = 60_000;
  const silent = (url: URL) => url.searchParams.delete('prompt');
  expect(await stepUp(silent)).toBe('/portal/keys#failure=not_fresh');
  aheadMs = 0;
});

test('where single sign-on is required, another sign-in does nothing, except of the last owner', async () => {
  const { tenantId: scope } = await server.anotherTenant();
  const theirs = `${server.service.config.publicUrl}/portal/sign-in/callback/${scope}`;
  provider.allow('theirs', [theirs]);
  const first = await portalPerson(server, scope, ['owner']);
  const reader = await portalPerson(server, scope, ['developer']);
  // The sample person owns every Tenant of a sandbox.
  await server.owner.query(
    `delete from control.roles where scope = $1 and role = 'owner' and person_id <> $2`,
    [scope, first.id],
  );
  const set = async (required: boolean) =>
    refusalLine(
      await first.ask('PUT', '/single-sign-on', { ...given, client_id: 'theirs', required }),
    );
  expect(await set(true)).toBe('invalid_state never_used');
  expect(await set(false)).toBe('200');
  provider.accounts.set('required', { email: reader.email, email_verified: true });
  provider.subject = 'required';
  const linking = openVisitor(server, reader);
  await linking.comeBack(await linking.visit(await linking.begin({}, 'link')));
  expect(await set(true)).toBe('200');

  const read = async (who: Pick<typeof reader, 'ask'>) =>
    refusalLine(await who.ask('GET', '/webhook-endpoint'));
  const barred = 'forbidden single_sign_on_required';
  expect(await read(reader)).toBe(barred);
  await answer(reader, 'sign-in', reader.passkey);
  expect(await read(reader)).toBe(barred);
  const visitor = openVisitor(server);
  await visitor.comeBack(await visitor.visit(await visitor.begin({ scope })));
  expect(await read(visitor)).toBe('200');
  expect(await read(first)).toBe('200');
  const second = await portalPerson(server, scope, ['owner']);
  expect([await read(first), await read(second)]).toEqual([barred, barred]);
  expect(refusalLine(await second.ask('DELETE', '/single-sign-on'))).toBe(barred);
});

test('with the provider the sessions end that it opened, and its accounts are forgotten', async () => {
  const { subject, visitor } = await signedIn();
  expect((await owner.ask('GET', '/single-sign-on')).body.identities).toBeGreaterThan(0);
  const removed = await owner.ask('DELETE', '/single-sign-on');
  expect(removed.body).toMatchObject({ issuer: null, identities: 0, redirect_uri: callback });
  expect((await visitor.ask('GET', '/session')).status).toBe(401);
  expect((await put(given)).status).toBe(200);
  expect((await signIn(subject)).page).toBe(failed('link_first'));
});

test('whoever sets another provider becomes nobody who was known by the one before', async () => {
  const { email } = await signedIn();
  const theirs = await openProvider();
  theirs.allow('evil', [callback]);
  const evil = { issuer: theirs.issuer, client_id: 'evil', client_secret: theirs.secret };
  expect((await put(evil)).status).toBe(200);
  theirs.accounts.set('puppet', { email, email_verified: true });
  theirs.subject = 'puppet';
  const puppet = async () => {
    const visitor = openVisitor(server);
    return visitor.comeBack(await visitor.visit(await visitor.begin({ scope: tenantId })));
  };
  expect(await puppet()).toBe(failed('link_first'));
  await owner.ask('POST', '/invitations', { email, roles: ['reader'] });
  expect(await puppet()).toBe(failed('link_first'));
  expect((await put(given)).status).toBe(200);
});

test('after a change of the provider a new invitation lets a member make a passkey, and link the account', async () => {
  const { email, subject, visitor } = await signedIn();
  const { id } = (await visitor.ask('GET', '/session')).body.person;
  const invite = () => owner.ask('POST', '/invitations', { email, roles: ['developer'] });
  expect(refusalLine(await invite())).toBe('invalid_state already_member');
  await owner.ask('DELETE', '/single-sign-on');
  expect((await put(given)).status).toBe(200);
  const { link } = (await invite()).body;
  const told: string[] = [];
  Object.assign(server.rails.messages, {
    async send({ to, template }: Message) {
      if ('email' in to && to.email === email) told.push(template);
      return { providerId: null };
    },
  });
  const { browser, reply } = await enrol(server, link);
  expect(reply.body.session.person.id).toBe(id);
  // A person who has got hold of the link does not come in unseen.
  await until(() => told.length >= 2);
  expect(told.sort()).toEqual(['passkey_added', 'roles_changed']);
  const back = openVisitor(server, browser);
  provider.subject = subject;
  expect(await back.comeBack(await back.visit(await back.begin({}, 'link')))).toBe('/portal');
  expect((await signIn(subject)).page).toBe('/portal');
  expect(refusalLine(await invite())).toBe('invalid_state already_member');
});

test('an invitation to one scope makes no passkey for somebody who is known in another by the provider', async () => {
  const { email } = await signedIn();
  const other = await server.anotherTenant();
  const link = await invitation(server, { scope: other.tenantId, email, roles: ['owner'] });
  expect(refusalLine((await enrol(server, link)).reply)).toBe('invalid_state known_elsewhere');
});

test('a member who is no owner neither sees nor sets the provider', async () => {
  const link = await invitation(server, {
    scope: tenantId,
    email: 'dev@x.co',
    roles: ['developer'],
  });
  const { browser } = await enrol(server, link);
  expect(refusalLine(await browser.ask('GET', '/single-sign-on'))).toBe('forbidden');
  expect(refusalLine(await browser.ask('PUT', '/single-sign-on', given))).toBe('forbidden');
});
