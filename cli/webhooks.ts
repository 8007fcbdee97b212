import { type Declaration, json, needsTenant, print } from './declare.ts';
import { operate } from './operate.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly tenant: string;
  readonly json?: true;
}

interface EndpointOptions extends Options {
  readonly url?: string;
  readonly enable?: true;
  readonly disable?: true;
}

function enabledOf({ enable, disable }: EndpointOptions): { enabled?: boolean } {
  if (enable && disable)
    throw new UsageError('--enable and --disable contradict each other', 'Give one of them.');
  return enable || disable ? { enabled: enable === true } : {};
}

/** `webhooks endpoint`: shows where a tenant's events go, or changes what is given of it. */
function endpoint(terminal: Terminal, options: EndpointOptions): ExitCode {
  const { tenant, url } = options;
  const given = { tenant, ...(url === undefined ? {} : { url }), ...enabledOf(options) };
  const answer = operate(terminal, 'webhooks', 'endpoint', given);
  const state = answer.enabled ? 'enabled' : 'disabled';
  return print(terminal, options, answer, [
    answer.url === null ? 'No endpoint is set.' : `Events go to ${answer.url} (${state}).`,
    answer.url === null
      ? `Set one with: webhooks endpoint --url https://… --tenant ${tenant}`
      : 'Events of before are sent by a resend: POST /v1/webhook-events/{id}/resend.',
  ]);
}

function listSecrets(terminal: Terminal, options: Options): ExitCode {
  const { tenant } = options;
  const answer = operate(terminal, 'webhooks', 'listSecrets', { tenant });
  const rows = answer.data.map(
    ({ id, created_at, retired_at }) =>
      `${id}  created ${created_at}  ${retired_at === null ? 'active' : `retired ${retired_at}`}`,
  );
  const next = `Make another with: webhooks secrets create --tenant ${tenant}`;
  return print(terminal, options, answer, [...rows, next]);
}

function createSecret(terminal: Terminal, options: Options): ExitCode {
  const { tenant } = options;
  const answer = operate(terminal, 'webhooks', 'createSecret', { tenant });
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
  const changing = [
    ['--url <url>', 'its address'],
    ['--enable', 'send events'],
    ['--disable', 'send none'],
  ] as const;
  const about = 'show the endpoint, or change what is given of it';
  add(webhooks, 'endpoint', about, [...changing, ...flags], (options: EndpointOptions) =>
    endpoint(terminal, options),
  );
  const secrets = add(webhooks, 'secrets', 'the signing secrets, at most three active', []);
  add(secrets, 'list', 'list the secrets, without their values', flags, (options: Options) =>
    listSecrets(terminal, options),
  );
  add(secrets, 'create', 'create a secret, shown only once', flags, (options: Options) =>
    createSecret(terminal, options),
  );
  const ending = 'retire a secret; the last active one stays';
  add(secrets, 'retire <id>', ending, flags, (options: Options, [id = '']) =>
    retireSecret(terminal, id, options),
  );
}
