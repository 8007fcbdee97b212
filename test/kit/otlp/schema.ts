import protobuf from 'protobufjs';

/**
 * The fields of an OTLP request for traces: names, numbers and types of fields as opentelemetry-proto 1.x publishes
 * them in `collector/trace/v1`, `trace/v1`, `resource/v1` and `common/v1`.
 */
type Fields = Readonly<Record<string, readonly [rule: '' | 'repeated', type: string, id: number]>>;

const message = (fields: Fields) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [rule, type, id]]) => [
      name,
      { type, id, ...(rule && { rule }) },
    ]),
  ),
});

const attributes = (id: number) => ['repeated', 'KeyValue', id] as const;

const root = protobuf.Root.fromJSON({
  nested: {
    ExportTraceServiceRequest: message({ resourceSpans: ['repeated', 'ResourceSpans', 1] }),
    ResourceSpans: message({
      resource: ['', 'Resource', 1],
      scopeSpans: ['repeated', 'ScopeSpans', 2],
      schemaUrl: ['', 'string', 3],
    }),
    Resource: message({
      attributes: attributes(1),
      droppedAttributesCount: ['', 'uint32', 2],
    }),
    ScopeSpans: message({
      scope: ['', 'InstrumentationScope', 1],
      spans: ['repeated', 'Span', 2],
      schemaUrl: ['', 'string', 3],
    }),
    InstrumentationScope: message({
      name: ['', 'string', 1],
      version: ['', 'string', 2],
      attributes: attributes(3),
      droppedAttributesCount: ['', 'uint32', 4],
    }),
    Span: message({
      traceId: ['', 'bytes', 1],
      spanId: ['', 'bytes', 2],
      traceState: ['', 'string', 3],
      parentSpanId: ['', 'bytes', 4],
      flags: ['', 'fixed32', 16],
      name: ['', 'string', 5],
      kind: ['', 'SpanKind', 6],
      startTimeUnixNano: ['', 'fixed64', 7],
      endTimeUnixNano: ['', 'fixed64', 8],
      attributes: attributes(9),
      droppedAttributesCount: ['', 'uint32', 10],
      events: ['repeated', 'Event', 11],
      droppedEventsCount: ['', 'uint32', 12],
      links: ['repeated', 'Link', 13],
      droppedLinksCount: ['', 'uint32', 14],
      status: ['', 'Status', 15],
    }),
    Event: message({
      timeUnixNano: ['', 'fixed64', 1],
      name: ['', 'string', 2],
      attributes: attributes(3),
      droppedAttributesCount: ['', 'uint32', 4],
    }),
    Link: message({
      traceId: ['', 'bytes', 1],
      spanId: ['', 'bytes', 2],
      traceState: ['', 'string', 3],
      attributes: attributes(4),
      droppedAttributesCount: ['', 'uint32', 5],
      flags: ['', 'fixed32', 6],
    }),
    SpanKind: {
      values: {
        SPAN_KIND_UNSPECIFIED: 0,
        SPAN_KIND_INTERNAL: 1,
        SPAN_KIND_SERVER: 2,
        SPAN_KIND_CLIENT: 3,
        SPAN_KIND_PRODUCER: 4,
        SPAN_KIND_CONSUMER: 5,
      },
    },
    Status: message({ message: ['', 'string', 2], code: ['', 'StatusCode', 3] }),
    StatusCode: { values: { STATUS_CODE_UNSET: 0, STATUS_CODE_OK: 1, STATUS_CODE_ERROR: 2 } },
    KeyValue: message({ key: ['', 'string', 1], value: ['', 'AnyValue', 2] }),
    AnyValue: message({
      stringValue: ['', 'string', 1],
      boolValue: ['', 'bool', 2],
      intValue: ['', 'int64', 3],
      doubleValue: ['', 'double', 4],
      arrayValue: ['', 'ArrayValue', 5],
    }),
    ArrayValue: message({ values: ['repeated', 'AnyValue', 1] }),
  },
});

const request = root.lookupType('ExportTraceServiceRequest');
const shown = { longs: Number, enums: String, bytes: Array } as const;

/** A field of a JSON object that the message does not have, at its path. */
function strangers(type: protobuf.Type, value: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(value).flatMap(([name, held]) => {
    const field = type.fields[name]?.resolve();
    if (!field) return [`${type.name}.${name}`];
    if (!(field.resolvedType instanceof protobuf.Type)) return [];
    const { resolvedType } = field;
    return [held].flat().flatMap((one) => strangers(resolvedType, one as Record<string, unknown>));
  });
}

/** Ids are hexadecimal in the JSON of OTLP, where protobuf has base64. */
const idNames = /Id$/;
const fromHex = (_name: string, value: unknown): unknown =>
  idNames.test(_name) && typeof value === 'string'
    ? Buffer.from(value, 'hex').toString('base64')
    : value;

/** @throws where a field is unknown, or of another type */
export function decodeJson(text: string): object {
  const given = JSON.parse(text);
  const unknown = strangers(request, given);
  if (unknown.length > 0) throw new Error(`no such fields: ${unknown.join(', ')}`);
  const decoded = request.fromObject(JSON.parse(text, fromHex));
  const fault = request.verify(decoded);
  if (fault !== null) throw new Error(fault);
  return request.toObject(decoded, shown);
}

/** The same of bytes. */
function strangersIn(type: protobuf.Type, bytes: Uint8Array): string[] {
  const reader = protobuf.Reader.create(bytes);
  const found: string[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = type.fieldsById[tag >>> 3]?.resolve();
    if (!field) found.push(`${type.name} ${tag >>> 3}`);
    if (field?.resolvedType instanceof protobuf.Type)
      found.push(...strangersIn(field.resolvedType, reader.bytes()));
    else reader.skipType(tag & 7);
  }
  return found;
}

/** @throws where the bytes hold a field that the messages have not */
export function decodeProtobuf(bytes: Buffer): object {
  const decoded = request.decode(bytes);
  const unknown = strangersIn(request, bytes);
  if (unknown.length > 0) throw new Error(`no such fields: ${unknown.join(', ')}`);
  return request.toObject(decoded, shown);
}
