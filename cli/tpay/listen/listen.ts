import { type ExitCode, exitCodes, UsageError } from '../../terminal.ts';
import { type Account, accountOf, connect } from '../connection.ts';
import { downtimeMs } from '../feed/downtime.ts';
import { openInBrowser, recordAddress } from '../open.ts';
import type { Console, Options } from '../options.ts';
import { openAsEndpoint } from './as_endpoint.ts';
import { isUp } from './forward.ts';
import { openHandover } from './handover.ts';
import { signingSecretOf } from './memory.ts';
import { type Acts, openLines, type Printer } from './print.ts';
import { filterOf, routesOf } from './routes.ts';
import { openTap, type Way } from './tap.ts';
import { openScreen } from './view/screen.ts';
import { openView } from './view/view.ts';

export interface ListenOptions extends Options {
  readonly forwardTo?: string;
  readonly route?: readonly string[];
  readonly events?: string;
  readonly header?: readonly string[];
  readonly since?: string;
  readonly asEndpoint?: true;
  readonly skipVerify?: true;
  readonly printSecret?: true;
  readonly quiet?: true;
  readonly lines?: true;
  readonly maxDowntime?: string;
}

/** An endpoint has no feed to begin in or to lose. @throws UsageError */
function assertFits({ asEndpoint, since, maxDowntime }: ListenOptions): void {
  if (!asEndpoint || (since === undefined && maxDowntime === undefined)) return;
  const flag = since === undefined ? '--max-downtime' : '--since';
  throw new UsageError(
    `${flag} does not go with --as-endpoint, to which the service delivers`,
    'What it could not deliver it tries again; what is older: tpay events replay --since 10m',
  );
}

/** @throws UsageError where the Tenant's own secrets sign, and none is known here */
function secretOf(terminal: Console, account: Account, options: ListenOptions): string {
  if (!options.asEndpoint) return signingSecretOf(terminal, account);
  if (account.webhookSecret !== null) return account.webhookSecret;
  throw new UsageError(
    'the secret with which the service signs is not known here',
    'Make one in the portal, which shows it once: tpay open webhooks',
  );
}

/** The whole screen where somebody sits at one, else lines. */
function openPrinter(
  terminal: Console,
  options: ListenOptions,
  title: string,
  acts: Acts,
): Printer {
  const wantsLines = options.json || options.quiet || options.lines || options.input === false;
  const screen = wantsLines ? null : (terminal.screen ?? openScreen(terminal));
  return screen ? openView(screen, title, acts) : openLines(terminal, options, acts);
}

function wayOf(terminal: Console, options: ListenOptions, targets: readonly string[]): Way {
  const isAsked = filterOf(options.events);
  const connection = connect(terminal, options);
  if (options.asEndpoint) return openAsEndpoint(terminal, connection, isAsked);
  const secret = signingSecretOf(terminal, connection);
  const maxDowntimeMs = downtimeMs(options);
  const { since } = options;
  return openTap(terminal, connection, { secret, since, targets, maxDowntimeMs, isAsked });
}

/** `listen`: hands the events of the account to a server on this machine (rules/tpay#13). */
export async function listen(
  terminal: Console,
  options: ListenOptions,
  headers: Readonly<Record<string, string>>,
): Promise<ExitCode> {
  assertFits(options);
  const account = accountOf(terminal, options);
  if (options.printSecret) {
    const secret = secretOf(terminal, account, options);
    terminal.out(options.json ? JSON.stringify({ secret }) : secret);
    return exitCodes.done;
  }
  const { targets, urlsOf } = routesOf(options.route, options.forwardTo);
  const way = wayOf(terminal, options, targets);
  const ended = new AbortController();
  const signal = terminal.signal ? AbortSignal.any([terminal.signal, ended.signal]) : ended.signal;
  const acts: Acts = {
    again: (handed) =>
      void way.again(handed, hand).catch((error: Error) => printer.note(`note: ${error.message}`)),
    open: ({ id }) => openInBrowser(terminal, recordAddress(account.baseUrl, id)),
    end: () => ended.abort(),
  };
  const title = `tpay listen  ${account.baseUrl}  ->  ${targets.join('  ') || 'nowhere'}`;
  const printer = openPrinter(terminal, options, title, acts);
  const hand = openHandover(printer, urlsOf, { headers, skipVerify: options.skipVerify === true });
  try {
    for (const url of targets)
      if (!(await isUp(url))) printer.note(`note: nobody listens at ${url} yet`);
    await way.run(hand, printer, signal);
  } finally {
    printer.close();
  }
  return exitCodes.done;
}
