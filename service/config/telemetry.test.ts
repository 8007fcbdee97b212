import { expect, test } from 'vitest';
import { type Telemetry, telemetryOf } from './telemetry.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

function read(env: Readonly<Record<string, string>>): [Telemetry | null, string[]] {
  const faults: string[] = [];
  return [telemetryOf((name) => env[name], faults), faults];
}

test('nothing is sent unless an endpoint is set', () => {
  expect(read({})).toEqual([null, []]);
  expect(read({ OTEL_SERVICE_NAME: 'pay', OTEL_TRACES_SAMPLER: 'always_on' })).toEqual([null, []]);
});

test.each([
  ['an endpoint', {}, 'http/protobuf', 0.01],
  ['an endpoint and JSON', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json', 0.01],
  [
    'the protocol of traces before that of all',
    {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    },
    'http/json',
    0.01,
  ],
  ['a share of traces', { OTEL_TRACES_SAMPLER_ARG: '0.5' }, 'http/protobuf', 0.5],
  ["the standard's sampler", { OTEL_TRACES_SAMPLER: 'always_on' }, 'http/protobuf', null],
])('%s is taken, and without more a hundredth of all traces', (_, more, protocol, share) => {
  expect(read({ ...endpoint, ...more })).toEqual([{ protocol, share }, []]);
});

test.each([
  ['OTEL_SDK_DISABLED', 'true'],
  ['OTEL_TRACES_EXPORTER', 'none'],
])('%s=%s sends nothing', (name, word) => {
  expect(read({ ...endpoint, [name]: word })).toEqual([null, []]);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an http or https address'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'x', 'must be an http or https address'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of always_on, parentbased_always_on'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a share from 0 to 1'],
  ['OTEL_TRACES_SAMPLER_ARG', 'half', 'must be a share from 0 to 1'],
])('%s=%s is a fault, whose line does not hold the value', (name, word, line) => {
  const [, [fault = '']] = read({ ...endpoint, [name]: word });
  expect(fault.startsWith(`${name} ${line}`)).toBe(true);
});
