import { type LoggedCall, readCall } from './call.ts';

/** The text as one word of a shell, whatever characters it has. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function bodyOptions(body: unknown, isForm: boolean): string[] {
  if (body === undefined) return [];
  if (body === null) return ["--header 'content-type: application/json'", '--data @body.json'];
  if (isForm)
    return Object.entries(body as object).map(
      ([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`,
    );
  const text = JSON.stringify(body, null, 2);
  return ["--header 'content-type: application/json'", `--data ${quoted(text)}`];
}

/** The notes above a command that its reader must know before running it. */
function notesOf(isPublic: boolean, isCut: boolean): string[] {
  return [
    ...(isPublic ? [] : ['# ACCESS_TOKEN: from POST /oauth/token, with your client id and secret']),
    ...(isCut ? ['# body.json: the body was too long for the log to keep'] : []),
  ];
}

/**
 * The call as a command of a shell. It makes a call of its own: a key that is sent again would only
 * repeat the first reply.
 */
export function curlOf(call: LoggedCall, baseUrl: string, newKey: () => string): string {
  const { operation, path, query, body } = readCall(call);
  const search = query.length > 0 ? `?${new URLSearchParams(Object.fromEntries(query))}` : '';
  const isPublic = operation?.form ?? false;
  const isKeyed = operation ? operation.keyed : call.method !== 'GET';
  const words = [
    `curl --request ${call.method} ${quoted(`${baseUrl}${path}${search}`)}`,
    ...(isPublic ? [] : ['--header "authorization: Bearer $ACCESS_TOKEN"']),
    ...(isKeyed ? [`--header 'idempotency-key: ${newKey()}'`] : []),
    ...bodyOptions(body, isPublic),
  ];
  return `${[...notesOf(isPublic, body === null), words.join(' \\\n  ')].join('\n')}\n`;
}

interface SentAttempt {
  readonly url: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly request_body: string;
}

/** An attempt as it was sent. A receiver refuses its signature five minutes later. */
export function attemptCurlOf({ url, request_headers, request_body }: SentAttempt): string {
  const words = [
    `curl --request POST ${quoted(url)}`,
    ...Object.entries(request_headers).map(
      ([name, value]) => `--header ${quoted(`${name}: ${value}`)}`,
    ),
    `--data-raw ${quoted(request_body)}`,
  ];
  return `# The signature is valid for five minutes from its t\n${words.join(' \\\n  ')}\n`;
}
