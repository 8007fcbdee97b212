import { getClock } from '@tenant-payments/contract/portal/sandbox/clock.ts';
import type { PortalEvent } from '@tenant-payments/contract/portal/traffic/events.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { type ExitCode, exitCodes } from '../../terminal.ts';
import { accountOf, type Connection, connect } from '../connection.ts';
import { downtimeMs } from '../feed/downtime.ts';
import { feedIdAt, follow } from '../feed/follow.ts';
import type { Console, Options } from '../options.ts';
import { checkedDuration } from '../times.ts';
import { forward, isUp, type Sending } from './forward.ts';
import { readKeys } from './keys.ts';
import { recall, remember, signingSecretOf } from './memory.ts';
import { openPrinter } from './print.ts';
import { filterOf, routesOf } from './routes.ts';

export interface ListenOptions extends Options {
  readonly forwardTo?: string;
  readonly route?: readonly string[];
  readonly events?: string;
  readonly header?: readonly string[];
  readonly since?: string;
  readonly skipVerify?: true;
  readonly printSecret?: true;
  readonly quiet?: true;
  readonly maxDowntime?: string;
}

const fields = Object.keys(Event.properties) as (keyof typeof Event.properties)[];

/** The body of a delivery: the event without what the portal says of it. */
export const bodyOf = (event: PortalEvent): string =>
  JSON.stringify(Object.fromEntries(fields.map((field) => [field, event[field]])));

/** Behind what to begin: now, so long before, or the last one that was handed over. */
async function startOf(
  terminal: Console,
  connection: Connection,
  since: string | undefined,
): Promise<{ after: string; words: string }> {
  const { after } = recall(terminal, connection);
  if (since === undefined && after !== undefined)
    return { after, words: 'Going on behind the last event that was handed over.' };
  const seconds = since === undefined || since === 'now' ? 0 : checkedDuration('--since', since);
  const { real_now } = (await connection.portal.request(getClock)).data;
  const words = seconds === 0 ? 'Beginning now.' : `Beginning ${since} ago.`;
  return { after: feedIdAt(Date.parse(real_now) - seconds * 1_000), words };
}

/** Hands an event to all of its addresses at once, and says what became of it. */
function openHandover(
  printer: ReturnType<typeof openPrinter>,
  urlsOf: (type: string) => readonly string[],
  sending: Sending,
) {
  let last: PortalEvent | null = null;
  async function hand(event: PortalEvent): Promise<void> {
    last = event;
    const body = bodyOf(event);
    const { id, type } = event;
    const object_id = typeof event.data.object.id === 'string' ? event.data.object.id : null;
    const urls = urlsOf(type);
    if (urls.length === 0) printer.handed({ id, type, object_id, url: null, answer: null });
    await Promise.all(
      urls.map(async (url) => {
        const answer = await forward(body, url, sending);
        printer.handed({ id, type, object_id, url, answer });
      }),
    );
  }
  return { hand, last: () => last };
}

/** `listen`: hands the events of the account to a server on this machine (rules/tpay#13). */
export async function listen(
  terminal: Console,
  options: ListenOptions,
  headers: Readonly<Record<string, string>>,
): Promise<ExitCode> {
  const account = accountOf(terminal, options);
  const secret = signingSecretOf(terminal, account);
  if (options.printSecret) {
    terminal.out(options.json ? JSON.stringify({ secret }) : secret);
    return exitCodes.done;
  }
  const isAsked = filterOf(options.events);
  const { targets, urlsOf } = routesOf(options.route, options.forwardTo);
  const maxDowntimeMs = downtimeMs(options);
  const connection = connect(terminal, options);
  const printer = openPrinter(terminal, options);
  const { after, words } = await startOf(terminal, connection, options.since);
  const sending = { secret, headers, skipVerify: options.skipVerify === true };
  const { hand, last } = openHandover(printer, urlsOf, sending);
  for (const url of targets)
    if (!(await isUp(url))) printer.note(`note: nobody listens at ${url} yet`);
  const again = () => {
    const event = last();
    if (event) void hand(event);
  };
  const details = () => terminal.out(JSON.stringify(last(), null, 2));
  const endKeys =
    terminal.ask && options.input !== false ? readKeys({ r: again, d: details }) : () => {};
  try {
    const feed = follow(connection, {
      types: ['events'],
      after,
      signal: terminal.signal,
      maxDowntimeMs,
      onState: (state, reason) =>
        printer.note(
          state === 'connected'
            ? `Ready: events of ${connection.baseUrl}. ${words} ^C ends. The secret: tpay listen --print-secret`
            : `Lost the connection (${reason}); coming again.`,
        ),
    });
    for await (const { id, row } of feed) {
      const event = row as PortalEvent;
      if (isAsked(event.type)) await hand(event);
      // Only now: an event that was not handed over comes again after a restart.
      remember(terminal, connection, { after: id });
    }
  } finally {
    endKeys();
  }
  return exitCodes.done;
}
