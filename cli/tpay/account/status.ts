import { getOverview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import type { Flag } from '../../declare.ts';
import { print } from '../../declare.ts';
import { type ExitCode, exitCodes, UsageError } from '../../terminal.ts';
import { accountOf, connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import { oneOf } from '../nearest.ts';
import type { Console, Options } from '../options.ts';
import { fieldLines } from '../show.ts';

interface StatusOptions extends Options {
  readonly output?: string;
}

const forms = ['words', 'json', 'env'] as const;

/** `KEY=value` lines for a file `.env`, with the secrets: they were asked for. @throws UsageError */
export function envLines(terminal: Console, options: Options): string[] {
  const { baseUrl, client, webhookSecret } = accountOf(terminal, options);
  if (!client)
    throw new UsageError(
      `no client is known for ${baseUrl}`,
      'Save it: tpay profiles add NAME --client-id ID',
    );
  const values = {
    PAY_BASE_URL: baseUrl,
    PAY_CLIENT_ID: client.clientId,
    PAY_CLIENT_SECRET: client.clientSecret,
    ...(webhookSecret ? { PAY_WEBHOOK_SECRET: webhookSecret } : {}),
  };
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}

/** `status`: where a command calls, as whom, and how its webhooks do. */
async function status(terminal: Console, options: StatusOptions): Promise<ExitCode> {
  const { output = 'words' } = options;
  const form = oneOf('a form of status', output, forms, 'Give words, json or env.');
  if (form === 'env') {
    for (const line of envLines(terminal, options)) terminal.out(line);
    return exitCodes.done;
  }
  const { baseUrl, profile, from, client, clientUntil, portal } = connect(terminal, options);
  const { data } = await portal.request(getOverview);
  const { clock, endpoint } = data;
  const facts = {
    service: baseUrl,
    account: from === 'profile' ? `profile ${profile}` : `from the ${from}`,
    tenant_api: client
      ? `as ${client.clientId}${clientUntil ? `, until ${clientUntil}` : ''}`
      : 'no client is known',
    clock: clock.now,
    real_time: clock.real_now,
    endpoint: endpoint.url ?? 'none',
    endpoint_enabled: endpoint.enabled,
    failure_streak: endpoint.failure_streak,
  };
  const json = form === 'json' ? { ...options, json: true as const } : options;
  return print(terminal, json, facts, [
    ...fieldLines(facts),
    endpoint.url === null
      ? 'Take events on this machine with: tpay listen --forward-to http://localhost:3000/webhooks'
      : 'Follow the calls with: tpay logs tail',
  ]);
}

export const declareStatus: Declare = ({ terminal, fill }, command) => {
  const flag: Flag = ['-o, --output <form>', 'words, json, or env with the secrets'];
  fill<StatusOptions>(command, [flag], (options) => status(terminal, options));
};
