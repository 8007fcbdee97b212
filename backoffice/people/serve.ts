import { rates } from '@tenant-payments/contract/core/numbers.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { type Obey, obeyRule } from '@tenant-payments/engine/production.ts';
import { networkOf } from '@tenant-payments/service/http/auth/network.ts';
import { openRateLimit } from '@tenant-payments/service/http/auth/rate_limit.ts';
import { tellRefused } from '@tenant-payments/service/http/log/refused_in_production.ts';
import { requestEvent } from '@tenant-payments/service/http/log/security.ts';
import { jsonType } from '@tenant-payments/service/http/serve/errors.ts';
import { type InputOf, inputOf, schemaOf } from '@tenant-payments/service/http/serve/serve.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actOf, scopeOf } from '../audit/acts.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { answersAsProduction } from '../serve/production.ts';
import { refusedOperation } from '../serve/rights.ts';
import type { SignedIn } from './caller.ts';
import type { Notices } from './notices/notices.ts';
import type { Asked, Done as DoneOf, Facts, PersonCommand } from './person_command.ts';
import { assertSameOrigin, clearCookie, cookieOf, setCookie } from './sessions/cookie.ts';
import { originOf } from './sessions/moved.ts';
import type { Origin } from './sessions/sessions.ts';

/** A request as the operations of people see it. */
export interface Call {
  readonly request: FastifyRequest;
  readonly from: Origin & Asked;
  /** The token of the session's cookie, where there is one. */
  readonly cookie: string | null;
  /** Gives the browser this session's token; null takes it away. */
  keep(token: string | null): void;
  /** Gives the browser another cookie beside the session's. */
  setCookie(cookie: string): void;
  /** Runs a command of the platform, and tells of it after the commit. */
  run<Input, Result>(command: PersonCommand<Input, Result>, input: Input): Promise<Result>;
  /** Tells of what a command has done. @returns its result */
  done<Result>(done: DoneOf<Result>): Result;
  /** The check of the call by the rules of production (rules/sandbox#46). */
  rules(): Promise<Obey>;
  /** Writes a security event. */
  tell(event: SecurityEventName, facts?: Facts): void;
}

type Named = Pick<PortalEndpoint, 'id' | 'of'>;

export type PersonServing = ReturnType<typeof openPersonServing>;

export function openPersonServing(scope: FastifyInstance, service: Service, notices: Notices) {
  const { config, environment, log, platformEngine } = service;
  const rateLimit = openRateLimit(service, 'address');
  scope.decorateRequest('signedIn', null);

  function callOf(request: FastifyRequest, reply: FastifyReply, endpoint: Named): Call {
    const tell: Call['tell'] = (event, facts = {}) => requestEvent(log, request, event, facts);
    const done: Call['done'] = ({ result, event, personId, facts, notices: toTell = [] }) => {
      for (const notice of toTell) notices.tell(notice);
      tell(event, { ...(personId && { person_id: personId }), ...facts });
      return result;
    };
    return {
      request,
      from: { ...originOf(request), requestId: request.id, trace: request.trace },
      cookie: cookieOf(request, config),
      keep: (token) =>
        token === null ? clearCookie(reply, config) : setCookie(reply, config, token),
      setCookie: (cookie) => void reply.header('set-cookie', cookie),
      tell,
      done,
      async rules() {
        const { tenantId } = request;
        const asProduction = await answersAsProduction({ tenantId, db: service.db });
        return (rule, refusal) => {
          const refused = obeyRule({ environment, asProduction }, rule, refusal);
          if (refused) tellRefused(log, request, reply, refused);
        };
      },
      async run<Input, Result>(command: PersonCommand<Input, Result>, input: Input) {
        const scope = scopeOf(endpoint, request);
        const { actor, act } = request;
        const named = act ?? { act: actOf(endpoint), record: null, scope };
        const by = { tenantId: platformId, actor, act: named, input };
        const { told } = await platformEngine.submit(command, by);
        return done(told as DoneOf<Result>);
      },
    };
  }

  /** Counts a request of somebody whom nobody knows yet. @throws ApiError rate_limited */
  const assertRate = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    rateLimit.take(networkOf(request.ip), rates.signInAddress, reply);

  /** An operation that anybody may call has no guard of its own (rules/sign-in#9). */
  async function guardStranger(
    endpoint: PortalEndpoint,
    ownRate: number | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { id, from } = endpoint;
    await assertRate(request, reply);
    if (ownRate !== undefined)
      await rateLimit.take(`${id} ${networkOf(request.ip)}`, ownRate, reply);
    const refused = refusedOperation(endpoint, 'production');
    if (refused && environment === 'production') throw refused;
    if (refused) tellRefused(log, request, reply, { rule: 'sandbox_operation', error: refused });
    if (from !== 'program') assertSameOrigin(request, config);
  }

  /** @param ownRate what anybody may call in 60 s from one address, where that is less than usual */
  function serve<E extends PortalEndpoint>(
    endpoint: E,
    handler: (call: Call, input: InputOf<E>) => Promise<object>,
    ownRate?: number,
  ): void {
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(endpoint),
      config: { endpoint },
      ...(endpoint.may === 'anybody'
        ? { onRequest: (request, reply) => guardStranger(endpoint, ownRate, request, reply) }
        : {}),
      async handler(request, reply) {
        const body = await handler(callOf(request, reply, endpoint), inputOf<E>(request));
        const { status } = endpoint.success;
        return reply.code(status).header('content-type', jsonType).send(JSON.stringify(body));
      },
    });
  }

  return {
    serve,
    callOf,
    assertRate,
    /** An operation about the person who calls it: a program has none. @throws ApiError forbidden */
    own<E extends PortalEndpoint>(
      endpoint: E,
      handler: (call: Call, session: SignedIn, input: InputOf<E>) => Promise<object>,
    ): void {
      serve(endpoint, async (call, input) => {
        const { signedIn } = call.request;
        if (!signedIn) throw fail('forbidden', { details: { reason: 'no_person' } });
        return handler(call, signedIn, input);
      });
    },
  };
}
