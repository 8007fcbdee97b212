import { endpoints } from '../../catalog.ts';
import type { EndpointDefinition } from '../../core/endpoint.ts';
import type { ProvokeStep } from '../../errors/steps.ts';

/** A text as one word of a shell; variables in it stay variables. */
const word = (text: string): string =>
  /^[\w/.:=-]+$/.test(text) ? text : `"${text.replaceAll(/["\\`]/g, '\\$&')}"`;

/** JSON as one word that reads as JSON: its variables stand outside of the quotes. */
const jsonWord = (body: object): string =>
  `'${JSON.stringify(body)
    .replaceAll("'", "'\\''")
    .replaceAll(/\$[A-Z]+/g, "'$&'")}'`;

/** Whether the operation of a call demands an Idempotency-Key. */
const needsKey = (method: string, path: string): boolean =>
  Object.values<EndpointDefinition>(endpoints).some(
    (one) =>
      one.idempotent === 'required' &&
      one.method === method &&
      new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );

/** The width that a page shows without scrolling. */
const widest = 78;

/** The parts of a command in as few lines as their width allows. */
function linesOf(parts: readonly string[]): string {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length < widest)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return lines.join(' \\\n  ');
}

function partsOf({ method, path, body, form = {}, without }: ProvokeStep): string[] {
  const isOpen = Object.keys(form).length > 0 || without === 'token';
  const sent = method ?? (body ? 'POST' : 'GET');
  const isKeyed = without !== 'key' && needsKey(sent, path);
  return [
    `curl -s "$BASE_URL${path}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(isKeyed ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(method && !(body && method === 'POST') ? [`-X ${method}`] : []),
    ...(body ? [`--json ${jsonWord(body)}`] : []),
    ...Object.entries(form).map(([name, value]) => `-d ${word(`${name}=${value}`)}`),
  ];
}

/** The place of a value in a reply, as `jq` takes it. */
const pick = (place: string): string =>
  /^[\w.]+$/.test(place) ? `jq -r .${place}` : `jq -r '.${place}'`;

/** A step as a reader of the quickstart types it, with its address and its access token. */
export function shellOf(step: ProvokeStep): string {
  const parts = partsOf(step);
  const call = linesOf(parts);
  if (step.times) return `for i in $(seq ${step.times}); do ${call}; echo; done`;
  const [[first, place] = [], ...others] = Object.entries(step.keep ?? {});
  if (first === undefined || place === undefined) return call;
  if (others.length === 0) return `${first}=$(${linesOf([...parts, `| ${pick(place)}`])})`;
  const picks = Object.entries(step.keep ?? {}).map(
    ([name, at]) => `${name}=$(echo "$REPLY" | ${pick(at)})`,
  );
  return [`REPLY=$(${call})`, ...picks].join('\n');
}

/** Values that no customer has yet. */
export const freshValues = [
  'REF=new-$RANDOM-$RANDOM',
  'MOBILE=+1415555$((RANDOM % 9000 + 1000))',
].join('\n');
