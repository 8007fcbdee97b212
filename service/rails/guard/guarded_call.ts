import type { Tracing } from '@tenant-payments/engine/trace.ts';
import type { RailsCall } from '../call.ts';
import { asRefused } from '../refused.ts';
import { type Breaker, openBreaker } from './breaker.ts';
import type { RailsMethod } from './methods.ts';
import { type RailsCause, RailsFault } from './rails_fault.ts';

/** The most calls of one method: more than its jobs run at a time, so that these seldom meet it. */
const atOnce = 100;
/** A call that goes on after its signal for so long is lost: nothing waits for it any more. */
const lostAfterMs = 120_000;

/** How a call ends: `refused` is an answer too. */
export type RailsResult = 'ok' | 'refused' | RailsCause;

/** Learns of each call. */
export interface RailsObserver {
  /**
   * @param result how it ended for its caller
   * @param fault what the module threw, or that its deadline has passed
   */
  ended(method: RailsMethod, result: RailsResult, seconds: number, fault?: unknown): void;
  /** @param count calls that the module has not ended yet, those past their deadline included */
  running(method: RailsMethod, count: number): void;
  /** Calls are paused, or are made again. */
  paused(method: RailsMethod, isPaused: boolean): void;
}

/** The end of a process: calls under way are aborted, and none is made any more. */
export interface Ending {
  isOver: boolean;
  readonly underWay: Set<AbortController>;
}

interface Needs {
  readonly method: RailsMethod;
  readonly deadlineMs: number;
  /** A refusal that it throws is an answer. */
  readonly mayRefuse: boolean;
  readonly ending: Ending;
  readonly observer: RailsObserver;
  readonly tracing: Tracing;
}

/** Resolves or rejects as the call does, or rejects when the signal is aborted. */
function untilAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = () => reject(signal.reason);
    if (signal.aborted) late();
    signal.addEventListener('abort', late, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}

/** Calls that run, and what they were made for. */
function openRunning(count: (running: number) => void) {
  const keys = new Set<unknown>();
  const change = (how: 'add' | 'delete', key: unknown) => {
    keys[how](key);
    count(keys.size);
  };
  return {
    has: (key: unknown) => keys.has(key),
    /** Until it settles, or is lost. */
    hold(key: unknown, call: Promise<unknown>): void {
      change('add', key);
      const lost = setTimeout(() => change('delete', key), lostAfterMs);
      lost.unref();
      const end = () => {
        clearTimeout(lost);
        change('delete', key);
      };
      call.then(end, end);
    },
  };
}

/**
 * Calls of one method, each with a deadline and a signal, so many at a time, and none for a while where they
 * fail (rules/operations#79).
 */
export function openGuardedCalls(needs: Needs) {
  const { method, deadlineMs, mayRefuse, ending, observer, tracing } = needs;
  const breaker: Breaker = openBreaker((state) => observer.paused(method, state === 'open'));
  const running = openRunning((count) => observer.running(method, count));
  let awaited = 0;

  function refusalOf(key: unknown): RailsFault | null {
    if (ending.isOver || running.has(key) || awaited > atOnce)
      return new RailsFault(method, 'provider_busy', 1);
    const waitMs = breaker.waitMs();
    return waitMs === 0
      ? null
      : new RailsFault(method, 'provider_paused', Math.ceil(waitMs / 1_000));
  }

  async function made<T>(
    key: unknown,
    traceparent: string | null,
    call: (given: RailsCall) => Promise<T>,
  ): Promise<T> {
    const own = new AbortController();
    const { signal } = own;
    const timer = setTimeout(() => own.abort(new Error('the deadline has passed')), deadlineMs);
    ending.underWay.add(own);
    const begun = new Promise<T>((resolve) =>
      resolve(call({ signal, ...(traceparent && { traceparent }) })),
    );
    running.hold(key, begun);
    try {
      const answer = await untilAborted(begun, signal);
      breaker.succeeded();
      return answer;
    } catch (error) {
      if (mayRefuse && !signal.aborted && asRefused(error)) {
        breaker.succeeded();
        throw error;
      }
      breaker.failed();
      const reason = signal.aborted ? 'provider_timeout' : 'provider_threw';
      throw new RailsFault(method, reason, 1, error);
    } finally {
      clearTimeout(timer);
      ending.underWay.delete(own);
    }
  }

  /**
   * @param key what is not called again meanwhile; null: nothing
   * @param parent the trace of whoever asks; null: none
   * @throws RailsFault, or the module's refusal
   */
  return async <T>(
    key: string | null,
    parent: string | null,
    call: (given: RailsCall) => Promise<T>,
  ): Promise<T> => {
    const own = key ?? Symbol(method);
    const beganMs = performance.now();
    const span = parent === null ? null : tracing.begin(method, { kind: 'call', parent });
    const told = (result: RailsResult, fault?: unknown) => {
      observer.ended(method, result, (performance.now() - beganMs) / 1_000, fault);
      span?.end({ result }, result !== 'ok' && result !== 'refused');
    };
    awaited += 1;
    try {
      const refusal = refusalOf(own);
      if (refusal) throw refusal;
      const answer = await made(own, span?.traceparent ?? null, call);
      told('ok');
      return answer;
    } catch (error) {
      if (error instanceof RailsFault) told(error.reason, error.cause);
      else told('refused');
      throw error;
    } finally {
      awaited -= 1;
    }
  };
}
