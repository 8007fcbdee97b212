/** One request to the service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly token: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

/**
 * The request as text. It is ASCII, so that it can be sent as latin1, the cheapest for a socket.
 */
export function requestText(port: number, request: ApiRequest): string {
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    `host: localhost:${port}`,
    `authorization: Bearer ${request.token}`,
  ];
  if (request.idempotencyKey !== undefined)
    lines.push(`idempotency-key: ${request.idempotencyKey}`);
  if (body !== '') lines.push('content-type: application/json');
  if (request.method !== 'GET') lines.push(`content-length: ${byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

let keysGiven = 0;
/** Makes the keys of this process different from those of any other. */
const keyPrefix = `bench-${process.pid}-${Date.now()}`;

/** A new idempotency key: a replay must not count as a payment. */
export const freshKey = (): string => {
  keysGiven += 1;
  return `${keyPrefix}-${keysGiven}`;
};
