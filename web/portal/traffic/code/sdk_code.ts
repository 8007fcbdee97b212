import { type LoggedCall, type ReadCall, readCall } from './call.ts';

const plainName = /^[A-Za-z_]\w*$/;

const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A value as TypeScript, indented. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${plainName.test(name) ? name : text(name)}: ${literal(item, inner)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

const setUp = (
  baseUrl: string,
): string => `import { createClient } from '@tenant-payments/sdk-server';

const { CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: ${text(baseUrl)},
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});
`;

function argumentsOf({ operation, values, query, body }: ReadCall): string[] {
  const path = values.map((value) => text(value));
  if (operation?.hasBody) return [...path, literal(body ?? {})];
  if (!operation?.hasQuery || query.length === 0) return path;
  const typed = query.map(([name, value]) => [
    name,
    operation.numbers.includes(name) ? Number(value) : value,
  ]);
  return [...path, literal(Object.fromEntries(typed))];
}

/** The call by the SDK for TypeScript; null: it has no method for this path. */
export function sdkCodeOf(call: LoggedCall, baseUrl: string): string | null {
  const read = readCall(call);
  const { operation } = read;
  if (operation === null) return null;
  if (operation.call === null)
    return `${setUp(baseUrl)}\n// The client fetches its access token by itself, and renews it.\nvoid client;\n`;
  const note = read.body === null ? '// The body was too long for the log to keep.\n' : '';
  const made = `client.${operation.call}(${argumentsOf(read).join(', ')})`;
  return `${setUp(baseUrl)}\n${note}const reply = await ${made};\nconsole.log(reply);\n`;
}
