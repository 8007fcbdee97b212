import { type Declaration, json, needsTenant, print } from './declare.ts';
import { type AnswerOf, operate } from './operate.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly tenant: string;
  readonly json?: true;
}

interface OfEndpoint extends Options {
  readonly endpoint?: string;
}

/** The flags that name the endpoint and the tenant, for an operation. */
const of = ({ tenant, endpoint }: OfEndpoint) =>
  endpoint === undefined ? { tenant } : { tenant, endpoint };
/** The same, for a next command. */
const flagsOf = ({ tenant, endpoint }: OfEndpoint): string =>
  `${endpoint === undefined ? '' : `--endpoint "${endpoint}" `}--tenant ${tenant}`;

interface EndpointOptions extends OfEndpoint {
  readonly url?: string;
  readonly enable?: true;
  readonly disable?: true;
}

function enabledOf({ enable, disable }: EndpointOptions): { enabled?: boolean } {
  if (enable && disable)
    throw new UsageError('--enable and --disable contradict each other', 'Give one of them.');
  return enable || disable ? { enabled: enable === true } : {};
}

type Shown = AnswerOf<'webhooks', 'endpoint'>;

const stateOf = ({ enabled }: Shown): string => (enabled ? 'enabled' : 'disabled');

/** `webhooks endpoints`: each of a tenant, and what goes there. */
function endpoints(terminal: Terminal, options: Options): ExitCode {
  const { tenant } = options;
  const answer = operate(terminal, 'webhooks', 'endpoints', { tenant });
  const { first, further } = answer;
  const rows = further.map((one) => {
    const { id, name, url, types } = one;
    return `${name}  ${url} (${stateOf(one)}, ${types === null ? 'all events' : types.join(', ')})  ${id}`;
  });
  return print(terminal, options, answer, [
    first.url === null
      ? 'No first endpoint is set.'
      : `First  ${first.url} (${stateOf(first)}, all events)`,
    ...rows,
    `Change one with: webhooks endpoint --endpoint NAME --url https://… --tenant ${tenant}`,
  ]);
}

/** `webhooks endpoint`: shows where a tenant's events go, or changes what is given of it. */
function endpoint(terminal: Terminal, options: EndpointOptions): ExitCode {
  const { url } = options;
  const given = { ...of(options), ...(url === undefined ? {} : { url }), ...enabledOf(options) };
  const answer = operate(terminal, 'webhooks', 'endpoint', given);
  const whose = 'name' in answer ? `Events of ${answer.name} go` : 'Events go';
  return print(terminal, options, answer, [
    answer.url === null ? 'No endpoint is set.' : `${whose} to ${answer.url} (${stateOf(answer)}).`,
    answer.url === null
      ? `Set one with: webhooks endpoint --url https://… --tenant ${options.tenant}`
      : 'Events of before are sent by a resend: POST /v1/webhook-events/{id}/resend.',
  ]);
}

function listSecrets(terminal: Terminal, options: OfEndpoint): ExitCode {
  const answer = operate(terminal, 'webhooks', 'listSecrets', of(options));
  const rows = answer.data.map(
    ({ id, created_at, retired_at }) =>
      `${id}  created ${created_at}  ${retired_at === null ? 'active' : `retired ${retired_at}`}`,
  );
  const next = `Make another with: webhooks secrets create ${flagsOf(options)}`;
  return print(terminal, options, answer, [...rows, next]);
}

function createSecret(terminal: Terminal, options: OfEndpoint): ExitCode {
  const { tenant } = options;
  const answer = operate(terminal, 'webhooks', 'createSecret', of(options));
  return print(terminal, options, answer, [
    `secret id       ${answer.id}`,
    `webhook secret  ${answer.secret}`,
    'Save it now: it is shown only once. Each event is signed with it beside the others.',
    `When the receiver knows it, retire the old one: webhooks secrets retire ID --tenant ${tenant}`,
  ]);
}

function retireSecret(terminal: Terminal, id: string, options: Options): ExitCode {
  const { tenant } = options;
  const answer = operate(terminal, 'webhooks', 'retireSecret', { tenant, id });
  return print(terminal, options, answer, [
    `Retired ${answer.id}: within a second no event is signed with it.`,
    `See what is left with: webhooks secrets list --tenant ${tenant}`,
  ]);
}

export function declareWebhooks({ terminal, root, add }: Declaration): void {
  const webhooks = add(root, 'webhooks', "where a tenant's events go, and what signs them", []);
  const flags = [needsTenant, json];
  const named = ['--endpoint <name>', 'a further endpoint, by its name or id'] as const;
  const changing = [
    named,
    ['--url <url>', 'its address'],
    ['--enable', 'send events'],
    ['--disable', 'send none'],
  ] as const;
  const all = 'list the endpoints: the first one, and those beside it';
  add(webhooks, 'endpoints', all, flags, (options: Options) => endpoints(terminal, options));
  const about = 'show the first endpoint, or the named one, or change what is given of it';
  add(webhooks, 'endpoint', about, [...changing, ...flags], (options: EndpointOptions) =>
    endpoint(terminal, options),
  );
  const secrets = add(webhooks, 'secrets', 'the signing secrets of an endpoint', []);
  const ofOne = [named, ...flags];
  const listing = 'list the secrets, without their values';
  add(secrets, 'list', listing, ofOne, (options: OfEndpoint) => listSecrets(terminal, options));
  const making = 'create a secret, shown only once; at most three are active';
  add(secrets, 'create', making, ofOne, (options: OfEndpoint) => createSecret(terminal, options));
  const ending = 'retire a secret of whichever endpoint; its last active one stays';
  add(secrets, 'retire <id>', ending, flags, (options: Options, [id = '']) =>
    retireSecret(terminal, id, options),
  );
}
