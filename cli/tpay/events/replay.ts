import { getClock } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import { recoverEvents } from '@tenant-payments/backoffice/contract/traffic/deliveries.ts';
import { listEvents } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { type EventType, eventTypes } from '@tenant-payments/contract/catalog.ts';
import type { MissedReason } from '@tenant-payments/contract/resources/webhook_recoveries.ts';
import { type Flag, print } from '../../declare.ts';
import { type ExitCode, exitCodes, UsageError } from '../../terminal.ts';
import { assertAgreed } from '../agree.ts';
import { type Connection, connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import { oneOf } from '../nearest.ts';
import type { Console, Options } from '../options.ts';
import { timeBefore } from '../times.ts';
import { resendOne } from './resend.ts';

interface ReplayOptions extends Options {
  readonly since: string;
  readonly until?: string;
  readonly type?: string;
  readonly failed?: true;
  readonly neverSent?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** The range of events, in times of the Tenant's clock. */
interface Range {
  readonly since: string;
  readonly until?: string;
  readonly type?: EventType;
}

/** Replays the events that have not arrived; the service takes some thousands at a time. */
async function replayMissed(
  { portal }: Connection,
  range: Range,
  missed: MissedReason,
  dry_run: boolean,
) {
  let events = 0;
  for (;;) {
    const { data } = await portal.request(recoverEvents, { ...range, missed, dry_run });
    events += data.events;
    if (!data.has_more || dry_run) return { events, has_more: data.has_more };
  }
}

/** All of a range, whatever became of them, the oldest first. */
async function idsIn({ portal }: Connection, { since, until, type }: Range): Promise<string[]> {
  const ids: string[] = [];
  const narrowed = { from: since, ...(until ? { to: until } : {}), ...(type ? { type } : {}) };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { ...narrowed, limit: 100, ...(cursor ? { cursor } : {}) };
    const { data } = await portal.request(listEvents, page);
    ids.push(...data.data.map(({ id }) => id));
    cursor = data.next_cursor;
  }
  return ids.reverse();
}

/** The flag that asks for those that have not arrived, if one does. @throws UsageError */
function missedBy({ failed, neverSent }: ReplayOptions): MissedReason | null {
  if (failed && neverSent)
    throw new UsageError('--failed and --never-sent are two choices', 'Call it once with each.');
  if (failed) return 'failed';
  return neverSent ? 'never_sent' : null;
}

/** `events replay`: all of a time, or those that have not arrived, once whoever asks has seen how many. */
async function replay(terminal: Console, options: ReplayOptions): Promise<ExitCode> {
  const all = 'List them with: tpay events types';
  const type = options.type ? { type: oneOf('an event type', options.type, eventTypes, all) } : {};
  const missed = missedBy(options);
  const connection = connect(terminal, options);
  const { now } = (await connection.portal.request(getClock)).data;
  const range: Range = {
    since: timeBefore('--since', options.since, now),
    ...(options.until ? { until: timeBefore('--until', options.until, now) } : {}),
    ...type,
  };
  const ids = missed ? [] : await idsIn(connection, range);
  const counted = missed
    ? await replayMissed(connection, range, missed, true)
    : { events: ids.length, has_more: false };
  const count = `${counted.events}${counted.has_more ? ' or more' : ''} events since ${range.since}`;
  if (options.dryRun || counted.events === 0) {
    const facts = { dry_run: true, ...range, ...counted };
    return print(terminal, options, facts, [`Would send again: ${count}. Nothing was sent.`]);
  }
  await assertAgreed(terminal, options, {
    act: `Send ${count} again`,
    would: `${count} would be sent again`,
    other: ', or only count with --dry-run',
  });
  for (const id of ids) await resendOne(connection, id);
  const done = missed ? await replayMissed(connection, range, missed, false) : counted;
  print(terminal, options, { dry_run: false, ...range, events: done.events }, [
    `Sent again: ${done.events} events since ${range.since}.`,
    'See what became of them with: tpay events list',
  ]);
  return exitCodes.done;
}

const flags: readonly Flag[] = [
  ['--since <time>', "from when, on the Tenant's clock: 2h, or a time with its zone", 'required'],
  ['--until <time>', 'before when'],
  ['--type <type>', 'of this type alone'],
  [
    '--failed',
    'those alone of which an attempt failed and that have not arrived, also while they are retried',
  ],
  ['--never-sent', 'those alone that were never sent, as no endpoint was enabled'],
  ['--dry-run', 'only count'],
  ['--yes', 'do not ask'],
];

export const declareReplay: Declare = ({ terminal, add }, command) => {
  add<ReplayOptions>(command, 'replay', 'deliver all events of a time again', flags, (options) =>
    replay(terminal, options),
  );
};
