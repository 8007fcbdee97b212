import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';

/** In single quotes a shell changes nothing. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface Call {
  readonly endpoint: EndpointDefinition;
  readonly ids: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly key: string | null;
}

/** The path with its ids, and the query. */
export function targetOf({ endpoint, ids, values }: Omit<Call, 'key'>): string {
  const left = [...ids];
  const path = endpoint.path.replace(/:[a-z_]+/g, () => encodeURIComponent(left.shift() ?? ''));
  if (!endpoint.query) return path;
  const pairs = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, own]) => [`${name}[${key}]`, String(own)])
      : [[name, String(value)]],
  );
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The call as a command; the token is read from the shell's PAY_TOKEN, never shown. */
export function curlOf(baseUrl: string, call: Call): string {
  const { endpoint, key, values } = call;
  const parts = [
    `curl -X ${endpoint.method} ${quoted(baseUrl + targetOf(call))}`,
    '-H "Authorization: Bearer $PAY_TOKEN"',
    ...(key === null ? [] : [`-H ${quoted(`Idempotency-Key: ${key}`)}`]),
    ...(endpoint.body
      ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(values))}`]
      : []),
  ];
  return parts.join(' \\\n  ');
}
