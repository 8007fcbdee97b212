import {
  createCredential,
  listCredentials,
  retireCredential,
  revokeTokens,
} from '@tenant-payments/backoffice/contract/settings/credentials.ts';
import { connect } from './connect.ts';
import { baseUrl, type Declaration, json, ofTenant, print } from './declare.ts';
import { isDirect, operate, tenantOf, type WayOptions } from './operate.ts';
import type { ExitCode, Terminal } from './terminal.ts';

interface Options extends WayOptions {
  readonly json?: true;
}

/** `credentials list`: the client's secrets, without their values. */
async function list(terminal: Terminal, options: Options): Promise<ExitCode> {
  const answer = isDirect(terminal, options)
    ? operate(terminal, 'credentials', 'list', tenantOf(options))
    : (await connect(terminal, options).request(listCredentials)).data;
  const words = answer.data.map(
    ({ id, created_at, retired_at }) =>
      `${id}  created ${created_at}  ${retired_at === null ? 'active' : `retired ${retired_at}`}`,
  );
  const next = 'Make another with: credentials create; end one with: credentials retire ID';
  return print(terminal, options, answer, [...words, next]);
}

/** `credentials create`: a second secret, shown this once. */
async function create(terminal: Terminal, options: Options): Promise<ExitCode> {
  const answer = isDirect(terminal, options)
    ? operate(terminal, 'credentials', 'create', tenantOf(options))
    : (await connect(terminal, options).request(createCredential)).data;
  return print(terminal, options, answer, [
    `client id      ${answer.client_id}`,
    `client secret  ${answer.client_secret}`,
    'Save the secret now: it is shown only once. Deploy it, then retire the old one:',
    '  npm run cli -- credentials list',
    '  npm run cli -- credentials retire ID',
  ]);
}

/** `credentials retire`: the secret gives no further access token. */
async function retire(terminal: Terminal, id: string, options: Options): Promise<ExitCode> {
  const answer = isDirect(terminal, options)
    ? operate(terminal, 'credentials', 'retire', { ...tenantOf(options), id })
    : (await connect(terminal, options).request(retireCredential, id)).data;
  return print(terminal, options, answer, [
    `Retired ${answer.id}. The access tokens that it gave end within an hour.`,
    'To end them at once: npm run cli -- credentials revoke-tokens',
  ]);
}

/** `credentials revoke-tokens`: ends all access tokens of the client. */
async function revoke(terminal: Terminal, options: Options): Promise<ExitCode> {
  const answer = isDirect(terminal, options)
    ? operate(terminal, 'credentials', 'revokeTokens', tenantOf(options))
    : (await connect(terminal, options).request(revokeTokens)).data;
  return print(terminal, options, answer, [
    `Ended access tokens: ${answer.revoked}. Within a second no process takes one.`,
    'The Tenant’s server gets a new one by its secret.',
  ]);
}

export function declareCredentials({ terminal, root, add }: Declaration): void {
  const credentials = add(root, 'credentials', "the secrets of the tenant's client", []);
  const flags = [ofTenant, baseUrl, json];
  add(credentials, 'list', 'list the secrets, without their values', flags, (options) =>
    list(terminal, options),
  );
  add(credentials, 'create', 'create a second secret, shown only once', flags, (options) =>
    create(terminal, options),
  );
  const ending = 'retire a secret; the last active one stays';
  add(credentials, 'retire <id>', ending, flags, (options, [id = '']) =>
    retire(terminal, id, options),
  );
  const revoking = "end all access tokens of the tenant's client";
  add(credentials, 'revoke-tokens', revoking, flags, (options) => revoke(terminal, options));
}
