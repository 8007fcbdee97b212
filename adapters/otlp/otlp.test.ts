import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { railsDeadlinesOf } from '../../service/config/rails_deadlines.ts';
import type { RailsCall } from '../../service/rails/call.ts';
import { guardRails } from '../../service/rails/guard/guard_rails.ts';
import type { Rails } from '../../service/rails/rails.ts';
import { startTestReceiver } from '../../test/kit/http/receiver.ts';
import { startCollector } from '../../test/kit/otlp/receiver.ts';
import { openHostedPages, pin } from '../../test/kit/pages/hosted.ts';
import { openServer } from '../../test/kit/server.ts';
import { until } from '../../test/kit/wait.ts';
import { open } from './index.ts';

/** Traces of a whole service, as a collector takes them that knows the published messages of OTLP. */

const collector = await startCollector();
const { env } = process;
env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
env.OTEL_BSP_SCHEDULE_DELAY = '50';
env.OTEL_RESOURCE_ATTRIBUTES = 'service.namespace=shop,service.version=of the settings';

const failures: string[] = [];
const given = {
  share: 1,
  version: '1.2.3',
  environment: 'sandbox',
  onFailure: (why: string) => failures.push(why),
};
const tracing = open({ ...given, protocol: 'http/protobuf' });

const taken: (string | undefined)[] = [];
const bank = { take: async (_order: object, call: RailsCall) => void taken.push(call.traceparent) };
const guarded = guardRails({ bank } as unknown as Rails, {
  deadlines: railsDeadlinesOf(undefined, []),
  observer: { ended: () => {}, running: () => {}, paused: () => {} },
  tracing,
});
const lines: string[] = [];
const server = await openServer({
  own: true,
  tracing,
  bank: guarded.bank,
  onLog: (line) => lines.push(line),
});
const pages = openHostedPages(server);
const receiver = await startTestReceiver();
beforeAll(async () => {
  const body = { url: receiver.url, enabled: true };
  await server.call('PUT', '/portal/api/webhook-endpoint', { body });
});
afterAll(async () => {
  await tracing.close();
  await receiver.close();
  await collector.close();
  expect(collector.faults).toEqual([]);
});

const callerSpan = 'b7ad6b7169203331';
const ofTrace = (id: string) => collector.spans.filter((span) => span.trace === id);
const named = (id: string, name: string) => ofTrace(id).filter((span) => span.name === name);
/** Whether the collector has the parent of each span of a trace: a span arrives when it ended, so after those below it. */
const isWhole = (id: string) => {
  const known = new Set([callerSpan, ...ofTrace(id).map((span) => span.id)]);
  return ofTrace(id).every(({ parent }) => known.has(parent ?? ''));
};

test('a trace leads from the request to the command, its batch, the call of the bank and the attempt at the endpoint', async () => {
  // A trace of its own for each try.
  const trace = randomBytes(16).toString('hex');
  taken.length = 0;
  const ana = await server.api.banked('individual');
  await pages.givePins();
  const page = await pages.load(ana);
  const caller = `00-${trace}-${callerSpan}-01`;
  const reply = await page.ask('/confirm/pin', { pin }, { traceparent: caller });
  expect([reply.status, reply.body.verdict]).toEqual([200, 'right']);
  await server.runJobs();
  await until(async () => named(trace, 'webhook attempt').length > 0);
  await until(async () => named(trace, 'bank.take').length === 1);
  await until(async () => named(trace, 'POST /hosted/api/confirm/pin').length === 1);
  await until(async () => isWhole(trace));
  const [request] = named(trace, 'POST /hosted/api/confirm/pin');
  expect(request).toMatchObject({ kind: 'SPAN_KIND_SERVER', parent: callerSpan });
  const byId = new Map(ofTrace(trace).map((span) => [span.id, span]));
  /** The names of the spans above one, up to the request. */
  const above = (span: (typeof collector.spans)[number] | undefined): string[] => {
    const parent = byId.get(span?.parent ?? '');
    return parent ? [parent.name, ...above(parent)] : [];
  };
  const [call] = named(trace, 'bank.take');
  expect(above(call).slice(-2)).toEqual([expect.any(String), request?.name]);
  expect(above(call)[0]).toBe('instruction');
  const [attempt] = named(trace, 'webhook attempt');
  expect(above(attempt).at(-1)).toBe(request?.name);
  const batches = named(trace, 'batch');
  expect(batches.length).toBeGreaterThan(1);
  for (const batch of batches) {
    expect(above(batch).at(-1)).toBe(request?.name);
    expect(batch.attributes['batch.commands']).toBeGreaterThan(0);
  }
  expect(taken).toEqual([`00-${trace}-${call?.id}-01`]);
  const heads = receiver.received.map(({ headers }) => headers.traceparent);
  expect(heads).toContain(`00-${trace}-${attempt?.id}-01`);
});

test('a span tells of operations, states and ids, and of nothing that a person is known by or that money was moved', async () => {
  const { key, body } = {
    key: 'a-key',
    body: {
      type: 'individual',
      external_ref: 'a reference',
      email: 'zoe@example.com',
      mobile_number: '+12025550177',
    },
  };
  const id = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1';
  const headers = { traceparent: `00-${id}-${callerSpan}-01` };
  await server.call('POST', '/v1/customers', { key, body, headers });
  await until(async () => named(id, 'webhook attempt').length > 0);
  const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
  const allowed = [
    'attempt',
    'batch.commands',
    'batch.number',
    'batch.reruns',
    'code',
    'error.type',
    'event.id',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'lane',
    'operation',
    'replayed',
    'request_id',
    'result',
    'tenant.id',
  ];
  expect([...names].filter((name) => !allowed.includes(name))).toEqual([]);
  const text = JSON.stringify(collector.spans);
  for (const secret of ['zoe@', '2025550177', 'a reference', server.token, receiver.url, pin])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
});

test('a header that is malformed counts as absent: the request begins a trace of its own', async () => {
  const before = collector.spans.length;
  await server.call('GET', '/v1/payments/pay_x', { headers: { traceparent: 'nonsense' } });
  await until(async () => collector.spans.length > before);
  const [span] = collector.spans.slice(before);
  expect(span).toMatchObject({ name: 'GET /v1/payments/:id', parent: null, isFault: false });
  expect(span?.attributes).toMatchObject({ 'http.response.status_code': 404 });
});

test('lines of the log about a request name its trace', async () => {
  const id = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa3';
  const headers = { traceparent: `00-${id}-${callerSpan}-01`, authorization: 'Bearer x' };
  const { status } = await server.call('GET', '/v1/payments/pay_x', { token: null, headers });
  expect(status).toBe(401);
  const about = () => lines.filter((line) => line.includes('access_refused'));
  await until(async () => about().length > 0);
  expect(about().map((line) => JSON.parse(line).trace_id)).toEqual([id]);
});

test('what the caller has not sampled is passed on and not recorded', async () => {
  const id = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2';
  const headers = { traceparent: `00-${id}-${callerSpan}-00` };
  const body = {
    type: 'individual',
    external_ref: 'another',
    email: 'yan@example.com',
    mobile_number: '+12025550178',
  };
  await server.call('POST', '/v1/customers', { key: 'another-key', body, headers });
  const passed = () =>
    receiver.received.some(({ headers: { traceparent } }) =>
      new RegExp(`^00-${id}-[0-9a-f]{16}-00$`).test(String(traceparent)),
    );
  await until(async () => passed());
  expect(ofTrace(id)).toEqual([]);
});

test('spans say of which service they are, and settings have the last word', () => {
  expect(collector.types).toEqual(new Set(['application/x-protobuf']));
  expect(collector.spans[0]?.service).toMatchObject({
    'service.name': 'tenant-payments',
    'service.namespace': 'shop',
    'service.version': 'of the settings',
    'deployment.environment.name': 'sandbox',
  });
});

test('the JSON of OTLP is as published too, and a share of traces can be asked for', async () => {
  env.OTEL_TRACES_SAMPLER = 'traceidratio';
  env.OTEL_TRACES_SAMPLER_ARG = '0.25';
  const other = open({ ...given, share: null, protocol: 'http/json' });
  const before = collector.spans.length;
  for (let index = 0; index < 400; index += 1)
    other.begin('shared out', { kind: 'inside', parent: null }).end({ index });
  await other.close();
  delete env.OTEL_TRACES_SAMPLER;
  const shared = collector.spans.slice(before).filter(({ name }) => name === 'shared out');
  // 100 of 400: further away than 60 it is one time in 10^11.
  expect(Math.abs(shared.length - 100)).toBeLessThan(60);
  expect(collector.types).toContain('application/json');
});

test('a collector that is away delays and fails nothing, and the log says so', async () => {
  env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';
  env.OTEL_EXPORTER_OTLP_TIMEOUT = '200';
  const other = open({ ...given, protocol: 'http/protobuf' });
  other.begin('lost', { kind: 'inside', parent: null }).end();
  await other.close();
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.join()).not.toContain('127.0.0.1');
});
