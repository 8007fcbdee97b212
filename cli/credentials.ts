import {
  createCredential,
  listCredentials,
  retireCredential,
  revokeTokens,
} from '@tenant-payments/contract/portal/credentials.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface Options extends ConnectOptions {
  readonly json?: true;
}

/** Prints the portal's answer as JSON, or in words. */
function print(terminal: Terminal, { json }: Options, data: object, words: string[]): ExitCode {
  for (const line of json ? [JSON.stringify(data)] : words) terminal.out(line);
  return exitCodes.done;
}

/** `credentials list`: the client's secrets, without their values. */
export async function showCredentials(terminal: Terminal, options: Options): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(listCredentials);
  const words = data.data.map(
    ({ id, created_at, retired_at }) =>
      `${id}  created ${created_at}  ${retired_at === null ? 'active' : `retired ${retired_at}`}`,
  );
  return print(terminal, options, data, words);
}

/** `credentials create`: a second secret, shown this once. */
export async function makeCredential(terminal: Terminal, options: Options): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(createCredential);
  return print(terminal, options, data, [
    `client id      ${data.client_id}`,
    `client secret  ${data.client_secret}`,
    'Save the secret now: it is shown only once. Deploy it, then retire the old one:',
    '  npm run cli -- credentials list',
    '  npm run cli -- credentials retire ID',
  ]);
}

/** `credentials retire`: the secret gives no further access token. */
export async function endCredential(
  terminal: Terminal,
  id: string,
  options: Options,
): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(retireCredential, id);
  return print(terminal, options, data, [
    `Retired ${data.id}. The access tokens that it gave end within an hour.`,
    'To end them at once: npm run cli -- credentials revoke-tokens',
  ]);
}

/** `credentials revoke-tokens`: ends all access tokens of the client. */
export async function endTokens(terminal: Terminal, options: Options): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(revokeTokens);
  return print(terminal, options, data, [
    `Ended access tokens: ${data.revoked}. Within a second no process takes one.`,
    'The Tenant’s server gets a new one by its secret.',
  ]);
}
