import { ApiError } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { type SignedIn, sessionOf } from '../caller.ts';
import { platform } from '../scope.ts';
import type { Call, PersonServing, Told } from '../serve.ts';
import { replaceSession } from '../sessions/session_of_browser.ts';
import { type OpenedBy, type OpenedSession, rotateSession } from '../sessions/sessions.ts';
import { type Attempts, countedFor } from '../sign_in/attempts.ts';
import { type Attempt, takeAttempt } from './attempt.ts';
import { attemptCookie, browserOf } from './browser.ts';
import type { Claimed } from './claims.ts';
import { finishAtProvider } from './flow.ts';
import { bind, holdsRole, knownAs, personOfClaim } from './identity.ts';
import type { Providers } from './provider.ts';
import { type Failure, SignOnFailed } from './words.ts';

/** Where a provider sends the browser back to (rules/single-sign-on#7). */

/** What a sign-in leaves behind, in the chain of where the session acts. */
const toldOf =
  (personId: string, openedBy: OpenedBy) =>
  ({ id, scope }: OpenedSession): Told => ({
    event: 'signed_in',
    facts: { opened_by: openedBy },
    record: id,
    scope: scope ?? platform,
    personId,
    after: { opened_by: openedBy },
  });

async function signIn(service: Service, call: Call, { scope }: Attempt, claimed: Claimed) {
  const openedBy = 'single_sign_on';
  const { personId, isNew, opened } = await call.act(
    async (connection) => {
      const found = await personOfClaim(connection, service, scope, claimed);
      const session = { personId: found.personId, openedBy, scope } as const;
      return { ...found, opened: await replaceSession(connection, service, call, session) };
    },
    ({ personId, isNew, roles, opened }) => ({
      ...toldOf(personId, openedBy)(opened),
      facts: { opened_by: openedBy, scope },
      after: { opened_by: openedBy, identity_linked: isNew, ...(roles && { roles }) },
      ...(roles && {
        notice: { kind: 'roles_changed', personId, scope, roles, gained: roles },
      }),
    }),
  );
  call.keep(opened.token);
  if (isNew) call.tell('identity_linked', { person_id: personId, scope });
}

async function stepUp(
  service: Service,
  call: Call,
  session: SignedIn,
  { scope, claimed }: { scope: string; claimed: Claimed },
) {
  const { personId } = session;
  const token = await call.act(
    async (connection) => {
      const now = instantOf(service.clocks.realNow());
      const known = await knownAs(connection, now, scope, claimed);
      if (known?.id !== personId) throw new SignOnFailed('other_person');
      const token = await rotateSession(connection, service, session.id);
      if (token === null) throw new SignOnFailed('session_ended');
      return token;
    },
    () => ({
      event: 'stepped_up',
      facts: { scope },
      record: session.id,
      scope,
      personId,
      after: { purpose: 'step_up' },
    }),
  );
  call.keep(token);
}

async function link(
  service: Service,
  call: Call,
  session: SignedIn,
  { scope, claimed }: { scope: string; claimed: Claimed },
) {
  const { personId, email } = session;
  if (claimed.email !== email) throw new SignOnFailed('other_person');
  await call.act(
    async (connection) => {
      if (!(await holdsRole(connection, scope, personId))) throw new SignOnFailed('not_invited');
      await bind(connection, service, scope, { claimed, personId });
    },
    () => ({
      event: 'identity_linked',
      facts: { scope },
      record: session.id,
      scope,
      personId,
      after: { purpose: 'link' },
      notice: { kind: 'account_linked', personId, scope },
    }),
  );
}

/** The session that began it, in the same browser. @throws SignOnFailed */
async function sessionOfAttempt(service: Service, call: Call, attempt: Attempt) {
  const session = call.cookie === null ? null : await sessionOf(service, call.cookie);
  if (session === null || session.id !== attempt.session_id)
    throw new SignOnFailed('session_ended');
  return session;
}

/** The parameters of the callback; each comes once. */
const queryOf = (url: string): string => url.replace(/^[^?]*\??/, '');

function stateOf(query: string): string {
  const given = new URLSearchParams(query).getAll('state');
  return given.length === 1 ? (given[0] ?? '') : '';
}

export function serveCallback(
  scope: FastifyInstance,
  service: Service,
  { callOf }: PersonServing,
  { providers, attempts }: { readonly providers: Providers; readonly attempts: Attempts },
): void {
  const { config } = service;

  async function finish(call: Call, attempt: Attempt, came: { query: string; state: string }) {
    const { purpose } = attempt;
    const session = purpose === 'sign_in' ? null : await sessionOfAttempt(service, call, attempt);
    const claimed = await finishAtProvider(service, providers, attempt, came);
    if (session === null) return signIn(service, call, attempt, claimed);
    const about = { scope: attempt.scope, claimed };
    const act = purpose === 'step_up' ? stepUp : link;
    return act(service, call, session, about);
  }

  /** @returns the page to open; a fault of the service is thrown on */
  async function run(call: Call, asked: string): Promise<string> {
    const query = queryOf(call.request.url);
    const state = stateOf(query);
    let page = '/portal/sign-in';
    try {
      await attempts.proven([countedFor.address(call.from.address)], async () => {
        const browser = browserOf(call.request, config);
        const attempt = await takeAttempt(service, { scope: asked, state, browser });
        if (attempt.purpose !== 'sign_in') page = attempt.return_to;
        await finish(call, attempt, { query, state });
        page = attempt.return_to;
      });
      return page;
    } catch (error) {
      const failure = failedWith(error);
      call.tell('sign_in_refused', { reason: failure });
      return `${page}#failure=${failure}`;
    }
  }

  scope.get<{ Params: { scope: string } }>(
    '/portal/sign-in/callback/:scope',
    async (request, reply) => {
      const call = callOf(request, reply, { id: 'finishSingleSignOn', of: 'person' });
      const page = await run(call, request.params.scope);
      call.setCookie(attemptCookie(config, null));
      return reply.redirect(`${consoleSite(config)}${page}`, 303);
    },
  );
}

function failedWith(error: unknown): Failure {
  if (error instanceof SignOnFailed) return error.failure;
  if (error instanceof ApiError && error.code === 'rate_limited') return 'too_many_attempts';
  throw error;
}
