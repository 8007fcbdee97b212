import {
  advanceClock,
  type Clock,
  getClock,
} from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import { timeText, zonedTime } from './clock_words.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { baseUrl, type Declaration, json, print } from './declare.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface ClockOptions extends ConnectOptions {
  readonly json?: true;
}

interface AdvanceOptions extends ClockOptions {
  readonly seconds?: string;
  readonly to?: string;
}

const stillPending = ({ pending }: Clock) =>
  pending > 0
    ? `Jobs still to run before the target: ${pending}. Follow them with: clock`
    : 'No due job is waiting.';

/** `clock`: shows the tenant's clock. */
async function showClock(terminal: Terminal, options: ClockOptions): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(getClock);
  const lines = [
    `The tenant's clock shows ${timeText(data)}.`,
    stillPending(data),
    'Move it with: clock advance --seconds 3600',
  ];
  return print(terminal, options, data, lines);
}

function targetOf({ seconds, to }: AdvanceOptions): { seconds: number } | { to: string } {
  const hint = 'Give one of them: --seconds 3600, or --to 2026-12-01T06:00:00Z.';
  if ((seconds === undefined) === (to === undefined)) {
    throw new UsageError('clock advance takes either --seconds or --to', hint);
  }
  if (seconds !== undefined) {
    if (/^[1-9]\d{0,9}$/.test(seconds)) return { seconds: Number(seconds) };
    throw new UsageError(`--seconds ${seconds} is not a whole number above 0`, hint);
  }
  if (to !== undefined && zonedTime.test(to) && !Number.isNaN(Date.parse(to))) {
    return { to: new Date(to).toISOString() };
  }
  throw new UsageError(`--to ${to} is not a date and time with a zone`, hint);
}

/** `clock advance`: moves the tenant's clock and runs the jobs that fall due on the way. */
async function moveClock(terminal: Terminal, options: AdvanceOptions): Promise<ExitCode> {
  const target = targetOf(options);
  const { data } = await connect(terminal, options).request(advanceClock, target);
  const lines = [
    `The tenant's clock now shows ${timeText(data)}.`,
    `Jobs and webhook attempts that ran on the way: ${data.fired}.`,
    stillPending(data),
    'See the events with GET /v1/webhook-events, newest first.',
  ];
  return print(terminal, options, data, lines);
}

export function declareClock({ terminal, root, add }: Declaration): void {
  const clock = add(root, 'clock', "show the tenant's clock", [baseUrl, json], (options) =>
    showClock(terminal, options),
  );
  const flags = [
    ['--seconds <n>', 'by this many seconds'],
    ['--to <time>', 'to this date and time'],
    baseUrl,
    json,
  ] as const;
  const about = 'move the clock forward and run the jobs that fall due';
  add(clock, 'advance', about, flags, (options) => moveClock(terminal, options));
}
