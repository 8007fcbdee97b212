import type { MemberRole, Role, StaffRole } from '@tenant-payments/contract/core/roles.ts';
import { disablePerson, enablePerson, resetPerson } from '../../backoffice/people/commands.ts';
import { createInvitation } from '../../backoffice/people/invitations/manage.ts';
import { ofPlatform, ofTenant, platform } from '../../backoffice/people/scope.ts';
import { sandboxSignInLink } from '../../backoffice/people/sign_in/sandbox_link.ts';
import type { Actor } from '../../engine/actor.ts';
import type { Act } from '../../engine/batch/acts.ts';
import type { Command } from '../../engine/command.ts';
import { platformId } from '../../engine/platform.ts';
import type { CallOptions, Reply, ReplyBody } from './http/http.ts';
import { newPasskey, type Passkey } from './pages/passkey.ts';
import type { TestServer } from './server.ts';

/** A browser of the portal: it keeps a cookie, and sends its page's origin with every write. */
export interface Browser {
  /** The session's cookie as it is now; null: none. */
  cookie(): string | null;
  setCookie(cookie: string | null): void;
  ask(method: string, path: string, body?: object, options?: CallOptions): Promise<Reply>;
}

export interface PortalPerson extends Browser {
  readonly email: string;
  readonly id: string;
  readonly passkey: Passkey;
  readonly recoveryCodes: readonly string[];
  /** A browser whose requests are sent as they stand: an approval is not signed. */
  readonly bare: Browser;
  /** Signs in with the passkey. */
  signIn(): Promise<Reply>;
  stepUp(): Promise<Reply>;
}

export type Server = Pick<TestServer, 'call' | 'service'>;

export function openBrowser({ call, service }: Server): Browser {
  const { origin } = new URL(service.config.publicUrl);
  let kept: string | null = null;
  return {
    cookie: () => kept,
    setCookie: (cookie) => {
      kept = cookie;
    },
    async ask(method, path, body, options = {}) {
      const reply = await call(method, `/portal/api${path}`, {
        token: null,
        ...(body === undefined ? {} : { body }),
        ...options,
        headers: {
          ...(kept === null ? {} : { cookie: kept }),
          ...(method === 'GET' ? {} : { origin }),
          ...options.headers,
        },
      });
      const set = reply.headers.get('set-cookie');
      if (set !== null) kept = /Max-Age=0/.test(set) ? null : (set.split(';')[0] ?? null);
      return reply;
    },
  };
}

/** The token behind the `#` of a link. */
export const tokenOf = (link: string): string => link.replace(/^.*#\w+=/, '');

const atCommandLine: Actor = {
  kind: 'command_line',
  id: 'test',
  personId: null,
  roles: [],
  address: null,
  requestId: null,
};

/** Runs a command of the platform as the command line does. @param act absent: the audit has no row of it */
export async function byCommandLine<Input>(
  { service }: Pick<TestServer, 'service'>,
  command: Command<Input>,
  input: NoInfer<Input>,
  act: Act | null = null,
): Promise<ReplyBody> {
  const submission = { tenantId: platformId, actor: atCommandLine, act, input };
  return JSON.parse((await service.platformEngine.submit(command, submission)).body);
}

/** A link for a scope, made as the command line makes it. */
export async function invitation(
  server: Pick<TestServer, 'service'>,
  { scope, email, roles }: { scope: string; email: string; roles: readonly Role[] },
): Promise<string> {
  const command = createInvitation(server.service, scope === platform ? ofPlatform : ofTenant);
  return (await byCommandLine(server, command, { email, roles, tenantId: scope })).link;
}

const aboutPerson = (act: string) => ({ act, record: null, scope: platform });

/** Disables a person, as `operators disable` does. */
export const disable = (server: Pick<TestServer, 'service'>, email: string) =>
  byCommandLine(server, disablePerson, { email }, aboutPerson('disablePerson'));

/** Enables a person, as `operators enable` does. */
export const enable = (server: Pick<TestServer, 'service'>, email: string) =>
  byCommandLine(server, enablePerson, { email }, aboutPerson('enablePerson'));

/** Resets a person, as `operators reset` does. */
export const reset = (server: Pick<TestServer, 'service'>, email: string) =>
  byCommandLine(server, resetPerson(server.service), { email }, aboutPerson('resetPerson'));

/** The sandbox's own person, signed in by the link of a Tenant. @param scope where the session acts */
export async function samplePerson(
  server: Server,
  tenantId: string,
  scope = tenantId,
): Promise<Browser> {
  const browser = openBrowser(server);
  const token = tokenOf(await sandboxSignInLink(server.service, tenantId));
  await browser.ask('POST', '/sign-in/link', { token });
  if (scope !== tenantId) await browser.ask('POST', '/session/act', { scope });
  return browser;
}

/** Accepts a link in a browser with a passkey that it makes. */
export async function enrol(
  server: Server,
  link: string,
  name = 'Robin Lane',
  browser = openBrowser(server),
): Promise<{ browser: Browser; passkey: Passkey; reply: Reply }> {
  const token = tokenOf(link);
  const passkey = newPasskey(new URL(server.service.config.publicUrl).origin);
  const begun = await browser.ask('POST', '/accept-invitation/begin', { token, name });
  // Accepted meanwhile, or never good: the refusal is the answer.
  if (begun.status !== 200) return { browser, passkey, reply: begun };
  const credential = passkey.create(begun.body.options);
  const reply = await browser.ask('POST', '/accept-invitation/finish', { token, name, credential });
  return { browser, passkey, reply };
}

/** Answers a challenge with a passkey: to sign in, or to step up. */
export async function answer(
  browser: Browser,
  way: 'sign-in' | 'step-up',
  passkey: Passkey,
): Promise<Reply> {
  const { body } = await browser.ask('POST', `/${way}/begin`);
  if (!body.options) throw new Error(`begin: ${JSON.stringify(body)}`);
  return browser.ask('POST', `/${way}/finish`, { credential: passkey.get(body.options) });
}

const approving = /^(\/(?:platform-)?approvals\/[^/]+\/)approve$/;

/** The same browser, whose approvals are signed by the passkey as the console does it. */
export const signing =
  (browser: Browser, passkey: Passkey): Browser['ask'] =>
  async (method, path, body, options) => {
    const begin = approving.exec(path)?.[1];
    if (begin === undefined) return browser.ask(method, path, body, options);
    const begun = await browser.ask('POST', `${begin}consent`, undefined, options);
    if (begun.status !== 200) return browser.ask(method, path, body, options);
    const credential = passkey.get(begun.body.options);
    return browser.ask(method, path, { ...body, credential }, options);
  };

let made = 0;

/** Somebody who holds roles and is signed in, enrolled over HTTP. */
export async function portalPerson(
  server: Server,
  scope: string,
  roles: readonly (StaffRole | MemberRole)[],
): Promise<PortalPerson> {
  made += 1;
  // Members are listed by email: the next person comes after the last, also after the ninth.
  const email = `person-${String(made).padStart(6, '0')}@example.com`;
  const link = await invitation(server, { scope, email, roles });
  const { browser, passkey, reply } = await enrol(server, link, `Person ${made}`);
  if (reply.status !== 200) throw new Error(`enrol: ${JSON.stringify(reply.body)}`);
  return {
    ...browser,
    ask: signing(browser, passkey),
    bare: browser,
    email,
    id: reply.body.session.person.id,
    passkey,
    recoveryCodes: reply.body.recovery_codes,
    signIn: () => answer(browser, 'sign-in', passkey),
    stepUp: () => answer(browser, 'step-up', passkey),
  };
}
