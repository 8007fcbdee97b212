import { tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Span } from '@tenant-payments/engine/trace.ts';
import type { WebhookContext } from '../context.ts';
import type { Answer, Sender } from '../send/send.ts';
import { signature } from '../send/sign.ts';
import type { SigningSecrets } from '../signing.ts';
import {
  afterAttempt,
  type DeliveryState,
  isAccepted,
  repeatedDelivery,
  withoutEndpoint,
} from './outcome.ts';
import type { Outcome } from './recorder.ts';
import type { ClaimedDelivery } from './store.ts';

const userAgent = 'tenant-payments-webhooks/1';

const unsent = (error: string): Answer => ({
  status: null,
  headers: null,
  body: null,
  error,
  durationMs: 0,
});

/** The fault's effect on the attempt that begins in this state (rules/sandbox#28). */
function faultsOf({ fault, state }: ClaimedDelivery) {
  const failed = fault?.failFirstAttempt ?? false;
  return {
    fails: failed && state.attempts === 0,
    isRepeated: (fault?.duplicate ?? false) && state.attempts === Number(failed),
  };
}

/** An attempt is a span of the trace of the request that has caused the event (rules/operations#91). */
function spanOf(
  tracing: WebhookContext['tracing'],
  { trace, tenantId, eventId, state }: ClaimedDelivery,
): Span | null {
  if (trace === null) return null;
  const facts = { 'tenant.id': tenantId, 'event.id': eventId, attempt: state.attempts + 1 };
  return tracing.begin('webhook attempt', { kind: 'call', parent: trace, facts });
}

function endSpan(span: Span | null, { status, error }: Answer): void {
  const facts = {
    ...(status !== null && { 'http.response.status_code': status }),
    ...(error !== null && { 'error.type': error }),
  };
  span?.end(facts, !isAccepted(status));
}

/**
 * Makes the function of one attempt: it sends the event's text byte for byte, signed with every
 * secret that is active now, or with the one that is to sign it alone. The attempt's time is the tenant's, the signature's is real time.
 * @returns a function that answers null when the lease would end before an attempt that takes its full time
 */
export function openAttempts(
  { clocks, tracing }: Pick<WebhookContext, 'clocks' | 'tracing'>,
  sender: Sender,
  secretsOf: SigningSecrets['of'],
  longestMs: number,
) {
  return async (claimed: ClaimedDelivery): Promise<Outcome | null> => {
    const { url, body, tenantId, endpointId, clock, signedAlone } = claimed;
    const secrets = url === null ? [] : await secretsOf(tenantId, endpointId, signedAlone);
    const realMs = clocks.realNow();
    if (realMs + longestMs > epochMs(claimed.lease)) return null;
    const at = instantOf(tenantNowMs(clock, realMs));
    if (url === null)
      return {
        claimed,
        attempt: null,
        decide: (state) => withoutEndpoint(state, claimed.state, at),
      };
    const span = spanOf(tracing, claimed);
    const requestHeaders = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'service-signature': signature(body, secrets, Math.floor(realMs / 1000)),
      ...(span?.traceparent && { traceparent: span.traceparent }),
    };
    const { fails, isRepeated } = faultsOf(claimed);
    const send = (): Answer | Promise<Answer> => {
      if (fails) return unsent('chaos_failed_first_attempt');
      if (secrets.length === 0) return unsent('no_active_secret');
      return sender.send(url, requestHeaders, body);
    };
    const answer = await send();
    endSpan(span, answer);
    const decide = (state: DeliveryState): DeliveryState => {
      const after = afterAttempt(state, claimed.state, { at, status: answer.status });
      return isRepeated && after.status === 'delivered' ? repeatedDelivery(after, at) : after;
    };
    return { claimed, attempt: { at, url, requestHeaders, answer }, decide };
  };
}
