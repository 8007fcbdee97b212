import { randomUUID } from 'node:crypto';
import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints, secretFields, secretFieldsOfPages } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { Reply } from '@tenant-payments/sdk-server';
import { callsOf } from '../../calls.ts';
import type { Flag } from '../../declare.ts';
import { type ExitCode, exitCodes } from '../../terminal.ts';
import { apiOf, type Connection, connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';
import { detailLines, recordLines } from '../show.ts';
import { curlOf } from './curl.ts';
import { readData, setAll } from './data.ts';
import { assertWhole, flagsOf, valuesOf } from './fields.ts';
import { type Operation, type ResourceName, resources } from './table.ts';

interface CallOptions extends Options {
  readonly data?: string;
  readonly set?: readonly string[];
  readonly idempotencyKey?: string;
  readonly curl?: true;
  readonly reveal?: true;
}

/** An operation as it is called. */
interface Route {
  readonly endpoint: EndpointDefinition;
  request(...args: unknown[]): Promise<Reply<unknown>>;
}

export type Request = (endpoint: EndpointDefinition, ...args: unknown[]) => Promise<Reply<unknown>>;

export const endpointOf = (operation: Operation): EndpointDefinition =>
  'api' in operation ? endpoints[operation.api] : portalEndpoints[operation.portal];

const wordsOf = (operation: Operation): string[] =>
  'word' in operation && operation.word ? [operation.word] : [];

/** The route of an operation. A caller without a client gets a record from the portal (rules/tpay#4). */
function routeOf(connection: Connection, operation: Operation): Route {
  const by = (endpoint: EndpointDefinition, request: Request): Route => ({
    endpoint,
    request: (...args) => request(endpoint, ...args),
  });
  if ('portal' in operation) return by(endpointOf(operation), connection.portal.request as Request);
  if (operation.otherwise && !connection.api)
    return by(portalEndpoints[operation.otherwise], connection.portal.request as Request);
  return by(endpointOf(operation), callsOf(apiOf(connection)).request as Request);
}

interface Page {
  readonly object: 'list';
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor?: string | null;
}

const secret = new Set([...secretFields, ...secretFieldsOfPages]);

/** A reply without its tokens and secrets, which would stay on the screen or in a log. */
const hidden = (reply: object): object =>
  JSON.parse(
    JSON.stringify(reply, (name, value) =>
      secret.has(name) && typeof value === 'string' ? '(hidden: --reveal shows it)' : value,
    ),
  );

const isList = (value: object): value is Page => (value as Page).object === 'list';

function show(
  terminal: Console,
  options: CallOptions,
  { command, shows }: { readonly command: string; readonly shows: readonly string[] | undefined },
  reply: object,
): void {
  const data = options.reveal ? reply : hidden(reply);
  if (options.json) {
    terminal.out(JSON.stringify(data));
    return;
  }
  const lines = isList(data) ? recordLines(data.data, shows) : detailLines({ ...data });
  for (const line of lines) terminal.out(line);
  if (isList(data) && data.next_cursor)
    terminal.err(`More: tpay ${command} --cursor ${data.next_cursor}`);
}

/** A record of the portal's page stands within it. */
const recordOf = (endpoint: EndpointDefinition, operation: Operation, data: unknown): object =>
  'api' in operation && endpoint.id === 'getRecord'
    ? (data as { record: object }).record
    : (data as object);

async function call(
  terminal: Console,
  command: string,
  operation: Operation,
  options: CallOptions,
  args: readonly string[],
): Promise<ExitCode> {
  const asked = endpointOf(operation);
  const given = options.data === undefined ? {} : await readData(terminal, options, options.data);
  const flags = valuesOf(asked, options as unknown as Record<string, unknown>);
  const words = wordsOf(operation);
  const word = Object.fromEntries(words.map((name, i) => [name, args[i]]));
  const ids = words.length > 0 ? [] : args;
  const values = setAll({ ...given, ...flags, ...word }, options.set ?? []);
  assertWhole(command, asked, values);
  const connection = connect(terminal, options);
  const { endpoint, request } = routeOf(connection, operation);
  const key = endpoint.idempotent === 'none' ? null : (options.idempotencyKey ?? randomUUID());
  if (options.curl) {
    terminal.out(curlOf(connection.baseUrl, { endpoint, ids, values, key }));
    terminal.err('hint: Nothing was sent. Set the token with: PAY_TOKEN=$(tpay token)');
    return exitCodes.done;
  }
  // Before it is sent: also where no answer comes, the same call can be made again.
  if (key !== null) terminal.err(`Idempotency-Key: ${key}`);
  const payload = endpoint.body || endpoint.query ? [values] : [];
  const { data, response } = await request(
    ...ids,
    ...payload,
    ...(key === null ? [] : [{ idempotencyKey: key }]),
  );
  if (response.replayed) terminal.err('note: this call was made before; its first reply is shown');
  const isShownOnce = 'shownOnce' in operation && operation.shownOnce === true;
  const shown = isShownOnce ? { ...options, reveal: true as const } : options;
  const shows = 'shows' in operation ? operation.shows : undefined;
  show(terminal, shown, { command, shows }, recordOf(endpoint, operation, data));
  if (isShownOnce) terminal.err('Save the secret now: it is shown only once.');
  return exitCodes.done;
}

const bodyFlags: readonly Flag[] = [
  ['--data <json>', 'the whole body: JSON, @file, or - for standard input'],
  ['--set <path=value>', 'one field of it: collection_point.name=Till', 'repeated'],
];
const keyFlag: Flag = ['--idempotency-key <key>', 'make the same call again; else a new key'];
const revealFlag: Flag = ['--reveal', 'show tokens and secrets of the reply'];
const curlFlag: Flag = ['--curl', 'print the call for curl, and send nothing'];

/** The commands of a resource, from the operations of the contract (rules/tpay#5). */
export function resource(name: ResourceName): Declare {
  return ({ terminal, add }, group) => {
    for (const [verb, operation] of Object.entries<Operation>(resources[name].verbs)) {
      const endpoint = endpointOf(operation);
      const word = wordsOf(operation);
      const names = [...endpoint.path.matchAll(/:([a-z_]+)/g)].map(([, id = '']) => id);
      const ids = [...names, ...word].map((id) => `<${id}>`);
      const flags = [
        ...flagsOf(endpoint, word),
        ...(endpoint.body ? bodyFlags : []),
        ...(endpoint.idempotent === 'none' ? [] : [keyFlag]),
        curlFlag,
        revealFlag,
      ];
      add<CallOptions>(group, [verb, ...ids].join(' '), endpoint.summary, flags, (options, args) =>
        call(terminal, `${name} ${verb}`, operation, options, args),
      );
    }
  };
}
