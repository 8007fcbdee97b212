import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { decodeJson, decodeProtobuf } from './schema.ts';

/** A span as it was taken. */
export interface TakenSpan {
  readonly name: string;
  readonly kind: string;
  readonly trace: string;
  readonly id: string;
  /** Null: its trace begins with it. */
  readonly parent: string | null;
  readonly tookNano: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isFault: boolean;
  readonly service: unknown;
}

/** A collector of traces that holds each request against the published messages. */
export interface TestCollector {
  readonly url: string;
  readonly spans: TakenSpan[];
  /** The faults of requests, each in a line. */
  readonly faults: string[];
  readonly types: Set<string>;
  close(): Promise<void>;
}

type Parsed = ReturnType<typeof JSON.parse>;

const hex = (bytes: readonly number[] | undefined): string =>
  Buffer.from(bytes ?? []).toString('hex');

const attributesOf = (list: Parsed[] = []): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value ?? {})[0]]));

function spansOf({ resourceSpans = [] }: Parsed): TakenSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }: Parsed) =>
    scopeSpans.flatMap(({ spans = [] }: Parsed) =>
      spans.map((span: Parsed) => ({
        name: span.name,
        kind: span.kind,
        trace: hex(span.traceId),
        id: hex(span.spanId),
        parent: hex(span.parentSpanId) || null,
        tookNano: span.endTimeUnixNano - span.startTimeUnixNano,
        attributes: attributesOf(span.attributes),
        isFault: span.status?.code === 'STATUS_CODE_ERROR',
        service: attributesOf(resource?.attributes),
      })),
    ),
  );
}

export async function startCollector(): Promise<TestCollector> {
  const [spans, faults, types] = [[] as TakenSpan[], [] as string[], new Set<string>()];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const type = request.headers['content-type'] ?? '';
    types.add(type);
    try {
      if (request.method !== 'POST' || request.url !== '/v1/traces')
        throw new Error('no such path');
      spans.push(
        ...spansOf(type === 'application/json' ? decodeJson(String(bytes)) : decodeProtobuf(bytes)),
      );
    } catch (error) {
      faults.push(String(error));
    }
    const empty = type === 'application/json' ? '{}' : '';
    response.writeHead(200, { 'content-type': type }).end(empty);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    faults,
    types,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
