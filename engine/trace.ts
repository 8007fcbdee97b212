/**
 * Traces: where a request's work goes, as a tree of spans. The engine says where work begins and ends; what becomes of it
 * is the concern of whoever gives it a `Tracing`. A trace is named by its W3C `traceparent`, in headers, rows and calls.
 */

/** Facts of a span's work: never personal data, secrets or amounts. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** Work under way. */
export interface Span {
  /** Names it to whatever it asks for; null: it belongs to no trace. */
  readonly traceparent: string | null;
  /** @param fault it has failed, and not only refused */
  end(facts?: SpanFacts, fault?: boolean): void;
}

export interface Beginning {
  readonly kind: 'request' | 'call' | 'inside';
  /** Null: a trace begins here. */
  readonly parent: string | null;
  /** In `performance.now` time; absent: now. */
  readonly beganAtMs?: number;
  readonly facts?: SpanFacts;
}

export interface Tracing {
  begin(name: string, beginning: Beginning): Span;
  /** Hands over what is left. It takes seconds at most, and never rejects. */
  close(): Promise<void>;
}

const ofNone: Span = { traceparent: null, end() {} };

/** Records nothing, and passes on the trace that somebody else has begun. */
export const untraced: Tracing = {
  begin: (_name, { parent }) => (parent === null ? ofNone : { traceparent: parent, end() {} }),
  close: async () => {},
};

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Sampled, and random: what a version knows that is newer than this code is not passed on. */
const knownFlags = 0x03;

/**
 * The header `traceparent` as it is passed on.
 * @returns null where there is none, and where it is malformed: then it counts as absent
 */
export function traceparentOf(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const [, version, trace = '', parent = '', flags = '', more] = form.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined))
    return null;
  if (/^0+$/.test(trace) || /^0+$/.test(parent)) return null;
  const kept = (Number.parseInt(flags, 16) & knownFlags).toString(16).padStart(2, '0');
  return `00-${trace}-${parent}-${kept}`;
}

/** The trace that a line of the log is about, where there is one. */
export const traceFact = (
  traceparent: string | null | undefined,
): { readonly trace_id?: string } => (traceparent ? { trace_id: traceparent.slice(3, 35) } : {});
