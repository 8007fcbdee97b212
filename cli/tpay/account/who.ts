import { getSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { print } from '../../declare.ts';
import { type ExitCode, UsageError } from '../../terminal.ts';
import { accountOf, connect, fetchToken } from '../connection.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';
import { fieldLines } from '../show.ts';

/** `whoami`: what the portal takes the caller for. */
async function whoami(terminal: Console, options: Options): Promise<ExitCode> {
  const { baseUrl, profile, from, portal } = connect(terminal, options);
  const { data } = await portal.request(getSession);
  return print(terminal, options, data, [
    ...fieldLines({
      'you are': `${data.kind === 'api_key' ? 'the key' : 'the client'} ${data.id}`,
      at: baseUrl,
      'acting in': data.scope ?? 'nothing',
      roles: data.roles.join(', '),
      'known from': from === 'profile' ? `profile ${profile}` : `the ${from}`,
    }),
    'Use another account with --profile; see them with: tpay profiles',
  ]);
}

/** `token`: an access token on standard output, because it was asked for. */
async function token(terminal: Console, options: Options): Promise<ExitCode> {
  const { baseUrl, client } = accountOf(terminal, options);
  if (!client)
    throw new UsageError(
      `no client is known for ${baseUrl}`,
      'Set PAY_CLIENT_ID and PAY_CLIENT_SECRET, or save them: tpay profiles add NAME --client-id ID',
    );
  const data = await fetchToken(baseUrl, client);
  return print(terminal, options, data, [data.access_token]);
}

export const declareWhoami: Declare = ({ terminal, fill }, command) => {
  fill<Options>(command, [], (options) => whoami(terminal, options));
};

export const declareToken: Declare = ({ terminal, fill }, command) => {
  fill<Options>(command, [], (options) => token(terminal, options));
};
