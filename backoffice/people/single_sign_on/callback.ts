import { ApiError } from '@tenant-payments/engine/fail.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sessionOf } from '../caller.ts';
import type { Call, PersonServing } from '../serve.ts';
import { type Attempts, countedFor } from '../sign_in/attempts.ts';
import { mayBeOurs } from '../sign_in/secrets.ts';
import { comingBy } from '../sign_in/sign_in.ts';
import { type Attempt, takeAttempt } from './attempt.ts';
import { attemptCookie, browserOf } from './browser.ts';
import { linkAccount, signInByProvider, stepUpByProvider } from './callback_commands.ts';
import { finishAtProvider } from './flow.ts';
import type { Claim } from './identity.ts';
import type { Providers } from './provider.ts';
import { type Failure, SignOnFailed } from './words.ts';

/** The endpoint to which a provider sends the browser back (rules/single-sign-on#7). */

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
  { callOf, assertRate }: PersonServing,
  { providers, attempts }: { readonly providers: Providers; readonly attempts: Attempts },
): void {
  const { config } = service;
  const byProvider = signInByProvider(service);
  const stepUp = stepUpByProvider(service);

  async function signIn(call: Call, claim: Claim): Promise<void> {
    const { opened, personId, isNew } = await call.run(byProvider, { ...comingBy(call), ...claim });
    call.keep(opened.token);
    if (isNew) call.tell('identity_linked', { person_id: personId, scope: claim.scope });
  }

  async function finish(call: Call, attempt: Attempt, came: { query: string; state: string }) {
    const { purpose } = attempt;
    const session = purpose === 'sign_in' ? null : await sessionOfAttempt(service, call, attempt);
    const claimed = await finishAtProvider(service, providers, attempt, came);
    const claim = { scope: attempt.scope, claimed };
    if (session === null) return signIn(call, claim);
    const of = { session, from: call.from, ...claim };
    if (purpose === 'step_up') call.keep(await call.run(stepUp, of));
    else await call.run(linkAccount, of);
  }

  /** @returns the page to open; a fault of the service is thrown on */
  async function run(call: Call, reply: FastifyReply, asked: string): Promise<string> {
    const query = queryOf(call.request.url);
    const state = stateOf(query);
    let page = '/portal/sign-in';
    try {
      await assertRate(call.request, reply);
      if (!mayBeOurs(service, 'tpa', state)) throw new SignOnFailed('unknown_attempt');
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
      const page = await run(call, reply, request.params.scope);
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
