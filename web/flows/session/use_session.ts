import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventName, FlowError, Meta } from '../../../sdk/browser/messages.ts';
import type { Failure } from '../../ui/failure.ts';
import { returnAddress, returnUrlOf } from '../opener/address.ts';
import type { Channel, Ending } from '../opener/channel.ts';
import { type Api, openApi } from './api.ts';
import { endStatusOf } from './ending.ts';
import { type Session, viewIn } from './session.ts';

/** The input of a session page. */
export interface Opening {
  readonly token: string;
  readonly channel: Channel;
  /** Gets a function that reports the steps to the SDK with the session's data. */
  readonly onSteps: (seen: (step: string) => void) => void;
}

interface Held {
  view: View | null;
  requestId: string | null;
  /** Taken as soon as there is one, so that a window that is closed can still hand it over. */
  result: Promise<string | null> | null;
  resultToken: string | null;
  step: string | null;
  /** When the page last checked whether its session is over. */
  askedAt: number;
}

const checkEveryMs = 2_500;

const errorOf = ({ status }: { readonly status: string }) =>
  status === 'expired'
    ? { code: 'session_expired', message: 'the customer did nothing for too long' }
    : null;

/** Why a token cannot be opened, by the service's reason, in words for the Tenant's developer. */
const refusals = {
  used: 'its token was used before, and each opens once',
  expired: 'its token has expired',
  ended: 'it has ended, or a newer session took its place',
  unknown: 'the service does not know its token',
} as const;

/** The error for the SDK when a session could not be opened. */
function errorOfFailure(failure: Failure): FlowError {
  const errorOf = (code: string, why: string) => ({
    code,
    message: `the session could not be opened: ${why}`,
  });
  if (failure.kind === 'refused')
    return errorOf(
      failure.code,
      ownValue(refusals, failure.reason ?? '') ?? failure.reason ?? 'refused',
    );
  return errorOf(failure.kind === 'lost' ? 'session_invalid' : 'load_failed', failure.kind);
}

/** The ways out of a session: over the port, to the return address, or none. */
function openWays(held: Held, channel: Channel, api: Api) {
  const metaOf = (step?: string): Meta => ({
    session_id: held.view?.session_id ?? null,
    flow: held.view?.flow ?? null,
    request_id: held.requestId,
    ...(step === undefined ? {} : { step }),
  });
  const event = (name: EventName, step?: string) => channel.event(name, metaOf(step));

  function takeResult(): Promise<string | null> {
    held.result ??= api.call('takeResult', {}).then((answer) => {
      if (!answer.ok) {
        held.result = null;
        return null;
      }
      held.resultToken = answer.value.result_token;
      return held.resultToken;
    });
    return held.result;
  }

  function endingOf(view: View): Ending {
    const status = endStatusOf(view);
    return { status, result_token: held.resultToken, error: errorOf({ status }) };
  }

  async function end(): Promise<void> {
    const { view } = held;
    if (!view) return;
    if (view.has_result) await takeResult();
    const ending = endingOf(view);
    const returnUrl = returnUrlOf(view);
    if (channel.isConnected) channel.end(ending, metaOf());
    else if (returnUrl !== null) {
      const { status, result_token, error } = ending;
      const { session_id, flow } = view;
      const facts = { status, result_token, error: error?.code ?? null, session_id, flow };
      location.assign(returnAddress(returnUrl, facts));
    }
  }

  /** Reports the end when the customer closes the window. */
  const reportClose = () => {
    const { view } = held;
    if (view && view.status !== 'created' && held.resultToken !== null)
      channel.end(endingOf(view), metaOf());
  };
  return { metaOf, event, takeResult, end, reportClose };
}

/** The operations of a page on its session, which keep `held` and what is shown together. */
function openDoing(held: Held, api: Api, ways: ReturnType<typeof openWays>, shown: Shown) {
  const take = (view: View) => {
    const before = held.view?.status;
    held.view = view;
    if (view.has_result) void ways.takeResult();
    if (view.status === 'expired' && before === 'created') ways.event('expired');
    shown.view(view);
  };
  const look = async () => {
    const answer = await api.call('viewSession', {});
    if (answer.ok) take(answer.value);
    return answer;
  };
  /** A session that ended meanwhile refuses everything: what it is now is shown instead. */
  const call: Api['call'] = async (id, input) => {
    const answer = await api.call(id, input);
    if (answer.ok) {
      const view = viewIn(answer.value);
      if (view) take(view);
    } else if (answer.failure.kind === 'lost') shown.failure(answer.failure);
    else if (answer.failure.kind === 'refused' && answer.failure.code === 'invalid_state')
      await look();
    return answer;
  };
  const leave = async () => {
    if (held.view?.status === 'created') await call('leaveSession', {});
    await ways.end();
  };
  return { take, look, call, leave };
}

interface Shown {
  readonly view: (view: View) => void;
  readonly failure: (failure: Failure | null) => void;
}

/** 128 random bits: this page alone may open its session again, when the reply was lost. */
function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Opens the session of a token, once, and holds it. */
export function useOpenedSession({ token, channel, onSteps }: Opening) {
  const [view, setView] = useState<View | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const held = useRef<Held>({
    view: null,
    requestId: null,
    result: null,
    resultToken: null,
    step: null,
    askedAt: 0,
  }).current;

  const parts = useMemo(() => {
    const api = openApi(({ requestId }) => {
      held.requestId = requestId;
      ways.event('error');
    }, document.documentElement.lang);
    const ways = openWays(held, channel, api);
    const opener = newNonce();
    const doing = openDoing(held, api, ways, { view: setView, failure: setFailure });
    return { api, ways, doing, opener };
  }, [held, channel]);

  const open = useCallback(async () => {
    setFailure(null);
    const answer = await parts.api.call('openSession', { token, opener: parts.opener });
    if (!answer.ok) return setFailure(answer.failure);
    parts.api.take(answer.value.bearer);
    parts.doing.take(answer.value.view);
    parts.ways.event('ready');
  }, [parts, token]);

  useEffect(() => {
    const { ways, doing } = parts;
    onSteps((step) => {
      if (held.step !== null && held.step !== step) ways.event('step_completed', held.step);
      held.step = step;
      ways.event('step_viewed', step);
    });
    channel.onClose(() => {
      if (held.view) void doing.leave();
      else channel.end({ status: 'canceled', result_token: null, error: null }, ways.metaOf());
    });
    const look = () => {
      if (document.visibilityState === 'visible' && held.view?.status === 'created')
        void doing.look();
    };
    addEventListener('pagehide', ways.reportClose);
    document.addEventListener('visibilitychange', look);
    void open();
    return () => {
      removeEventListener('pagehide', ways.reportClose);
      document.removeEventListener('visibilitychange', look);
    };
  }, [parts, open, channel, held, onSteps]);

  const session = useMemo<Session | null>(() => {
    const { ways, doing } = parts;
    if (!view) return null;
    const wayBack = channel.isConnected ? 'sdk' : returnUrlOf(view) === null ? null : 'return_url';
    const { end } = ways;
    return {
      view,
      call: doing.call,
      event: ways.event,
      end: () => void end(),
      leave: () => void doing.leave(),
      wayBack,
    };
  }, [parts, view, channel]);

  /** Ends a page that has no session: the SDK learns why. */
  const fail = () => {
    const error = failure && errorOfFailure(failure);
    channel.end({ status: 'failed', result_token: null, error }, parts.ways.metaOf());
  };
  /** The service ends a session within two seconds of its time; the page checks until it has. */
  const over = () => {
    const now = Date.now();
    if (now - held.askedAt < checkEveryMs) return;
    held.askedAt = now;
    void parts.doing.look();
  };
  return {
    session,
    failure,
    retry: () => void open(),
    fail: channel.isConnected ? fail : null,
    alive: () => void parts.doing.call('keepAlive', {}),
    over,
  };
}
