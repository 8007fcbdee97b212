import { getClock } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import type { ApiRequest } from '@tenant-payments/backoffice/contract/traffic/requests.ts';
import type { Flag } from '../../declare.ts';
import { type ExitCode, exitCodes, UsageError } from '../../terminal.ts';
import { connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import { downtimeFlag, downtimeMs } from '../feed/downtime.ts';
import { feedIdAt, follow } from '../feed/follow.ts';
import type { Console, Options } from '../options.ts';
import { resource } from '../resources/commands.ts';
import { plain } from '../show.ts';
import { checkedDuration } from '../times.ts';

interface TailOptions extends Options {
  readonly method?: string;
  readonly path?: string;
  readonly status?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly bodies?: true;
  readonly since?: string;
  readonly maxDowntime?: string;
}

type Filter = (request: ApiRequest) => boolean;

/** @throws UsageError for a status that none can have */
function filterOf({ method, path, status, code, requestId }: TailOptions): Filter {
  if (status !== undefined && !/^([2-5]xx|[2-5]\d\d)$/.test(status))
    throw new UsageError(`--status ${status} is no status`, 'Give 404, or a class: 4xx.');
  const begins = status?.replace('xx', '') ?? '';
  return (request) =>
    (method === undefined || request.method === method.toUpperCase()) &&
    (path === undefined || request.path.startsWith(path)) &&
    String(request.status).startsWith(begins) &&
    (code === undefined || request.code === code) &&
    (requestId === undefined || request.id === requestId);
}

function linesOf(request: ApiRequest, bodies: boolean): string[] {
  const { at, method, status, id, duration_ms, code, param, replayed } = request;
  const { refused_in_production: refused } = request;
  const facts = [
    code,
    param,
    replayed ? 'replayed' : null,
    refused && `refused in production: ${plain(refused)}`,
  ]
    .filter(Boolean)
    .join(' ');
  const head = `${at}  [${status}]  ${method} ${plain(request.path)}  ${id}  ${duration_ms} ms  ${facts}`;
  const body = (sign: string, text: string | null) =>
    bodies && text ? [`  ${sign} ${plain(text)}`] : [];
  return [
    head.trimEnd(),
    ...body('-->', request.request_body),
    ...body('<--', request.response_body),
  ];
}

/** `logs tail`: the calls of the API as they are made, redacted (rules/tpay#12). */
async function tail(terminal: Console, options: TailOptions): Promise<ExitCode> {
  const isAsked = filterOf(options);
  const maxDowntimeMs = downtimeMs(options);
  const backSeconds = options.since ? checkedDuration('--since', options.since) : 0;
  const connection = connect(terminal, options);
  const { real_now } = (await connection.portal.request(getClock)).data;
  const feed = follow(connection, {
    types: ['requests'],
    after: feedIdAt(Date.parse(real_now) - backSeconds * 1_000),
    signal: terminal.signal,
    maxDowntimeMs,
    onState: (state, reason) =>
      terminal.err(
        state === 'connected' ? `Following ${connection.baseUrl}, ^C ends` : `lost: ${reason}`,
      ),
  });
  for await (const { row } of feed) {
    const request = row as ApiRequest;
    if (!isAsked(request)) continue;
    const lines = options.json
      ? [JSON.stringify(request)]
      : linesOf(request, options.bodies === true);
    for (const line of lines) terminal.out(line);
  }
  return exitCodes.done;
}

const flags: readonly Flag[] = [
  ['--method <method>', 'POST'],
  ['--path <path>', 'beginning of the path: /v1/payments'],
  ['--status <status>', '404, or a class: 4xx'],
  ['--code <code>', 'of a refusal'],
  ['--request-id <id>', 'this call alone'],
  ['--bodies', 'with what was sent and answered, redacted'],
  ['--since <duration>', 'also the calls of so long before'],
  downtimeFlag,
];

const lists = resource('logs');

export const declareLogs: Declare = (declaration, command) => {
  lists(declaration, command);
  const { terminal, add } = declaration;
  add<TailOptions>(command, 'tail', 'follow the calls of the API', flags, (options) =>
    tail(terminal, options),
  );
};
