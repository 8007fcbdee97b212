import { type Tracing, untraced } from '@tenant-payments/engine/trace.ts';
import type { RailsCall } from '../call.ts';
import type { Rails } from '../rails.ts';
import { type Ending, openGuardedCalls, type RailsObserver } from './guarded_call.ts';
import { type RailsMethod, railsMethodList } from './methods.ts';

/** At the end of a process calls under way have so long: less than a drain (rules/operations#8). */
const restMs = 8_000;
/** And the module has so long to end itself. */
const closeMs = 5_000;

/** Rails whose every call ends in time. */
export interface GuardedRails extends Rails {
  /** Gives the calls under way their last seconds. */
  rest(): void;
  /** Closes the module, where it can be; this takes seconds at most. */
  close(): Promise<void>;
}

type Part = Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>;

function inTime(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms).unref();
    work.then(resolve, reject);
  });
}

/** The same rails, of which no call can hold a job, a request or the end of the process up. */
export function guardRails(
  rails: Rails,
  {
    deadlines,
    observer,
    tracing = untraced,
  }: {
    /** In seconds. */
    readonly deadlines: Readonly<Record<RailsMethod, number>>;
    readonly observer: RailsObserver;
    readonly tracing?: Tracing;
  },
): GuardedRails {
  const ending: Ending = { isOver: false, underWay: new Set() };
  const guarded: Record<string, Record<string, unknown>> = {};
  for (const { part, name, full: method, keyOf, mayRefuse } of railsMethodList) {
    const own = (rails as unknown as Record<string, Part>)[part];
    const called = own?.[name];
    if (!own || !called) continue;
    const deadlineMs = deadlines[method] * 1_000;
    const calls = openGuardedCalls({ method, deadlineMs, mayRefuse, ending, observer, tracing });
    guarded[part] ??= { ...('can' in own && { can: own.can }) };
    guarded[part][name] = (asked: never, { traceparent }: Partial<RailsCall> = {}) =>
      calls(keyOf?.(asked) ?? null, traceparent ?? null, (more) => called.call(own, asked, more));
  }
  return {
    ...(guarded as unknown as Pick<Rails, 'identity' | 'aggregator' | 'bank' | 'messages'>),
    ...(rails.jobs && { jobs: rails.jobs }),
    ...(rails.providers && { providers: rails.providers }),
    listen: (inbound) => rails.listen?.(inbound),
    rest() {
      setTimeout(() => {
        ending.isOver = true;
        for (const one of ending.underWay) one.abort(new Error('the process ends'));
      }, restMs).unref();
    },
    close: () => inTime(Promise.resolve(rails.close?.()), closeMs),
  };
}
