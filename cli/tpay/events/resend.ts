import { resendEvent } from '@tenant-payments/backoffice/contract/traffic/deliveries.ts';
import { type ExitCode, exitCodes } from '../../terminal.ts';
import { type Connection, connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';

/** By the API for whoever has a client, so that it also works in production. */
export async function resendOne({ api, portal }: Connection, id: string) {
  if (api) return api.webhookEvents.resend(id);
  return (await portal.request(resendEvent, id, {})).data;
}

/** `events resend`: each is delivered again, with the same id and a fresh signature. */
async function resend(
  terminal: Console,
  options: Options,
  ids: readonly string[],
): Promise<ExitCode> {
  const connection = connect(terminal, options);
  for (const id of ids) {
    const event = await resendOne(connection, id);
    const words = `${event.id}  ${event.type}  ${event.delivery.status}`;
    terminal.out(options.json ? JSON.stringify(event) : words);
  }
  if (!options.json) terminal.out(`See what became of it with: tpay events get ${ids[0]}`);
  return exitCodes.done;
}

export const declareResend: Declare = ({ terminal, add }, command) => {
  add<Options>(command, 'resend <ids...>', 'deliver events again', [], (options, ids) =>
    resend(terminal, options, ids.flat()),
  );
};
