import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import {
  beginSingleSignOn,
  beginSingleSignOnLink,
  beginSingleSignOnStepUp,
} from '../../contract/people/single_sign_on.ts';
import type { SignedIn } from '../caller.ts';
import type { Call, PersonServing } from '../serve.ts';
import type { Attempts } from '../sign_in/attempts.ts';
import type { About } from './attempt.ts';
import { attemptCookie } from './browser.ts';
import { serveCallback } from './callback.ts';
import { beginAtProvider } from './flow.ts';
import { serveProvider } from './manage.ts';
import { openProviders, type Providers } from './provider.ts';
import { SignOnFailed } from './words.ts';

/** Begins an attempt, and binds it to the browser. @throws ApiError not_found, invalid_state */
function openBegin(service: Service, providers: Providers) {
  return async (call: Call, about: About) => {
    try {
      const { address, browser } = await beginAtProvider(service, providers, about);
      call.setCookie(attemptCookie(service.config, browser));
      return { redirect_url: address };
    } catch (error) {
      const isUnknown = error instanceof SignOnFailed && error.failure === 'not_set_up';
      throw isUnknown && about.purpose === 'sign_in' ? fail('not_found') : error;
    }
  };
}

const home = '/portal';

/** Single sign-on by OpenID Connect (rules/single-sign-on#1). */
export function registerSingleSignOn(
  scope: FastifyInstance,
  service: Service,
  serving: PersonServing,
  attempts: Attempts,
): void {
  const providers = openProviders(service);
  scope.addHook('onClose', () => providers.close());
  const begin = openBegin(service, providers);
  const of = (session: SignedIn, purpose: 'step_up' | 'link', to = home): About => ({
    scope: session.scope ?? '',
    purpose,
    session_id: session.id,
    return_to: to,
  });

  serveProvider(serving, service, providers);
  serving.serve(beginSingleSignOn, (call, { scope: asked, return_to = home }) =>
    begin(call, { scope: asked, purpose: 'sign_in', session_id: null, return_to }),
  );
  serving.own(beginSingleSignOnLink, (call, session, { return_to }) =>
    begin(call, of(session, 'link', return_to)),
  );
  serving.own(beginSingleSignOnStepUp, (call, session, { return_to }) => {
    if (session.onlyScope === null)
      throw fail('invalid_state', { details: { reason: 'other_sign_in' } });
    return begin(call, of(session, 'step_up', return_to));
  });
  serveCallback(scope, service, serving, { providers, attempts });
}
