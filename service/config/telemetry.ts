import type { Faults } from './values.ts';

/** The export of traces, by the settings of OpenTelemetry; its own packages read the rest of them. */
export interface Telemetry {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The recorded part of all traces, 0 to 1; null: the standard's sampler is named. */
  readonly share: number | null;
}

/** The recorded part of all traces where nothing is set: it costs less than 3 % of a process's own time. */
const usualShare = 0.01;

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const protocols = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [
  name,
  `parentbased_${name}`,
]);

const isHttp = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Null: none is sent, and none recorded (rules/operations#92). */
export function telemetryOf(
  value: (name: string) => string | undefined,
  faults: Faults,
): Telemetry | null {
  const set = (names: readonly string[]) => names.find((name) => value(name) !== undefined);
  const endpoint = set(endpoints);
  const isOff = value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  if (endpoint === undefined || isOff || value('OTEL_TRACES_EXPORTER') === 'none') return null;
  if (!isHttp(value(endpoint) ?? '')) faults.push(`${endpoint} must be an http or https address`);
  const named = set(protocols);
  const protocol = (named && value(named)) ?? 'http/protobuf';
  if (named && protocol !== 'http/protobuf' && protocol !== 'http/json')
    faults.push(`${named} must be one of http/protobuf, http/json`);
  const sampler = value('OTEL_TRACES_SAMPLER');
  if (sampler !== undefined && !samplers.includes(sampler))
    faults.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}`);
  const share = Number(value('OTEL_TRACES_SAMPLER_ARG') ?? usualShare);
  if (!(share >= 0 && share <= 1))
    faults.push('OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1');
  return {
    protocol: protocol === 'http/json' ? protocol : 'http/protobuf',
    share: sampler === undefined ? share : null,
  };
}
