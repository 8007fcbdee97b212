import { advanceClock, type Clock, getClock } from '@tenant-payments/contract/portal/clock.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

export interface ClockOptions extends ConnectOptions {
  readonly json?: true;
}

export interface AdvanceOptions extends ClockOptions {
  readonly seconds?: string;
  readonly to?: string;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Seconds in words, the two largest units: `3 days 4 hours`. */
function inWords(seconds: number): string {
  const words: string[] = [];
  let rest = Math.round(seconds);
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return words.slice(0, 2).join(' ');
}

function standing({ now, real_now: realNow }: Clock): string {
  const ahead = (Date.parse(now) - Date.parse(realNow)) / 1000;
  return ahead < 1 ? `${now}, which is real time` : `${now}, ${inWords(ahead)} ahead of real time`;
}

function tell(terminal: Terminal, clock: Clock, lines: readonly string[], json: boolean): ExitCode {
  if (json) terminal.out(JSON.stringify(clock));
  else for (const line of lines) terminal.out(line);
  return exitCodes.done;
}

const stillPending = ({ pending }: Clock) =>
  pending > 0
    ? `${pending} still to run before its target. See how it goes: clock`
    : 'Nothing due is waiting.';

/** `clock`: where the tenant's clock stands. */
export async function showClock(terminal: Terminal, options: ClockOptions): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(getClock);
  const lines = [
    `The tenant's clock says ${standing(data)}.`,
    stillPending(data),
    'Move it with: clock advance --seconds 3600',
  ];
  return tell(terminal, data, lines, options.json === true);
}

/** Without a zone it would mean another moment on another machine. */
const zonedTime = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/;

function targetOf({ seconds, to }: AdvanceOptions): { seconds: number } | { to: string } {
  const hint = 'Give one of them: --seconds 3600, or --to 2026-12-01T06:00:00Z.';
  if ((seconds === undefined) === (to === undefined)) {
    throw new UsageError('an advance takes either --seconds or --to', hint);
  }
  if (seconds !== undefined) {
    if (/^[1-9]\d{0,9}$/.test(seconds)) return { seconds: Number(seconds) };
    throw new UsageError(`--seconds ${seconds} is not a whole number above 0`, hint);
  }
  if (to !== undefined && zonedTime.test(to) && !Number.isNaN(Date.parse(to))) {
    return { to: new Date(to).toISOString() };
  }
  throw new UsageError(`--to ${to} is not a date-time with its zone`, hint);
}

/** `clock advance`: moves the tenant's clock and runs what falls due on the way. */
export async function moveClock(terminal: Terminal, options: AdvanceOptions): Promise<ExitCode> {
  const target = targetOf(options);
  const { data } = await connect(terminal, options).request(advanceClock, target);
  const lines = [
    `The tenant's clock now says ${standing(data)}.`,
    `On the way it ran what fell due, webhook attempts too: ${data.fired}.`,
    stillPending(data),
    'What came of it: GET /v1/webhook-events, newest first.',
  ];
  return tell(terminal, data, lines, options.json === true);
}
