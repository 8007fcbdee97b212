import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Beginning, Span, Tracing } from '@tenant-payments/engine/trace.ts';

/** Hands traces to a collector by OTLP over HTTP (rules/operations#92). */

/** A stop waits no longer for a collector that does not answer. */
const closeWithinMs = 3_000;

export interface Given {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The recorded part of all traces, 0 to 1; null: the standard's variables say it. */
  readonly share: number | null;
  readonly version: string;
  readonly environment: string;
  /** Spans were not taken. It is not given what was to be sent. */
  readonly onFailure: (reason: string) => void;
}

const kinds: Readonly<Record<Beginning['kind'], SpanKind>> = {
  request: SpanKind.SERVER,
  call: SpanKind.CLIENT,
  inside: SpanKind.INTERNAL,
};

/** The context of a `traceparent` that `traceparentOf` has made. */
function contextOf(parent: string | null): Context {
  if (parent === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = parent.split('-');
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** The same exporter, whose failures somebody is told. */
function telling(exporter: SpanExporter, onFailure: Given['onFailure']): SpanExporter {
  const { export: send } = exporter;
  exporter.export = (spans, done) =>
    send.call(exporter, spans, (result) => {
      const { code, name } = (result.error ?? {}) as { code?: unknown; name?: string };
      if (result.error) onFailure(String(code ?? name));
      done(result);
    });
  return exporter;
}

/** A share of all traces, also of those whose callers ask for more; none that its caller does not record. */
function samplerOf(share: number): Sampler {
  const ofAll = new TraceIdRatioBasedSampler(share);
  return new ParentBasedSampler({ root: ofAll, remoteParentSampled: ofAll });
}

function openProvider({ protocol, share, version, environment, onFailure }: Given) {
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const own = {
    'service.name': 'tenant-payments',
    'service.version': version,
    'service.instance.id': String(process.pid),
    'deployment.environment.name': environment,
  };
  return new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    ...(share !== null && { sampler: samplerOf(share) }),
    spanProcessors: [new BatchSpanProcessor(telling(exporter, onFailure))],
  });
}

/** The `traceparent` that a span hands on: one that is not recorded hands on that of its caller alone. */
function shown(traceparent: string, isRecorded: boolean, parent: string | null): string | null {
  return isRecorded || parent !== null ? traceparent : null;
}

/** Reaches nothing. The standard variables of OpenTelemetry say where, how much and under which name. */
export function open(given: Given): Tracing {
  const provider = openProvider(given);
  const tracer = provider.getTracer('tenant-payments', given.version);

  function begin(name: string, { kind, parent, beganAtMs, facts }: Beginning): Span {
    const attributes: Attributes | undefined = facts;
    const options = {
      kind: kinds[kind],
      ...(beganAtMs !== undefined && { startTime: beganAtMs }),
      ...(attributes && { attributes }),
    };
    const span = tracer.startSpan(name, options, contextOf(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    const flags = traceFlags.toString(16).padStart(2, '0');
    const traceparent = `00-${traceId}-${spanId}-${flags}`;
    return {
      traceparent: shown(traceparent, span.isRecording(), parent),
      end(more, fault = false) {
        if (more) span.setAttributes(more);
        const route = more?.['http.route'];
        if (route !== undefined) span.updateName(`${name} ${route}`);
        if (fault) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  return {
    begin,
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeWithinMs).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}
