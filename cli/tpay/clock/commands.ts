import {
  advanceClock,
  type Clock,
  getClock,
  jumpNames,
  listClockJumps,
} from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import { listEvents } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { timeText } from '../../clock_words.ts';
import { print } from '../../declare.ts';
import { type ExitCode, FaultLines } from '../../terminal.ts';
import { type Connection, connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';
import { checkedDuration, checkedTime } from '../times.ts';

/** Events that are shown of an advance. */
const shownEvents = 20;

/** The events that the advance has caused, the newest first. */
async function eventsSince({ portal }: Connection, from: string) {
  const { data } = await portal.request(listEvents, { from, limit: shownEvents });
  return data.data.map(({ id, type, created_at }) => ({ id, type, created_at }));
}

async function move(
  terminal: Console,
  options: Options,
  target: (connection: Connection) => Promise<{ seconds: number } | { to: string }>,
): Promise<ExitCode> {
  const connection = connect(terminal, options);
  const { portal } = connection;
  const before = (await portal.request(getClock)).data;
  const { data } = await portal.request(advanceClock, await target(connection));
  const events = await eventsSince(connection, before.now);
  return print(terminal, options, { ...data, events }, [
    `The Tenant's clock now shows ${timeText(data)}.`,
    `Jobs and webhook attempts that ran on the way: ${data.fired}. Still to run: ${data.pending}.`,
    ...events.map(({ id, type, created_at }) => `  ${created_at}  ${type}  ${id}`),
    ...(events.length === shownEvents ? ['More: tpay events list'] : []),
  ]);
}

async function show(terminal: Console, options: Options): Promise<ExitCode> {
  const { portal } = connect(terminal, options);
  const data: Clock = (await portal.request(getClock)).data;
  const jumps = (await portal.request(listClockJumps)).data.data;
  return print(terminal, options, { ...data, jumps }, [
    `The Tenant's clock shows ${timeText(data)}.`,
    ...jumps.map(
      ({ name, does, at }) => `  ${name.replaceAll('_', '-').padEnd(13)} ${at ?? '-'}  ${does}`,
    ),
    'Move it with: tpay clock advance 2h, tpay clock next-retry',
  ]);
}

const about = {
  next_retry: 'move to the next webhook attempt',
  next_due: 'move to the next job',
  business_day: 'move to the next business day',
  month_end: 'move to the end of the month',
} as const;

/** Why there is none, and what to do instead (rules/tpay#31). */
const noReset = [
  'error: a clock only moves forward: records, events and jobs are dated by it, and none may be of a later time',
  'hint: Begin anew with the same credentials: "Reset this sandbox" on the page of tpay open sandbox. Or test with a tenant of its own, which begins at the real time: npm run cli -- tenants create --name NAME',
];

export const declareClock: Declare = ({ terminal, fill, add }, command) => {
  fill<Options>(command, [], (options) => show(terminal, options));
  add<Options>(command, 'show', 'show it, and where it can go', [], (options) =>
    show(terminal, options),
  );
  add<Options>(
    command,
    'advance <duration>',
    'move it by 90s, 10m, 2h or 3d',
    [],
    (options, [by = '']) => {
      const seconds = checkedDuration('the duration', by);
      return move(terminal, options, async () => ({ seconds }));
    },
  );
  add<Options>(
    command,
    'to <time>',
    'move it to a time with its zone',
    [],
    (options, [time = '']) => {
      const to = checkedTime('the time', time);
      return move(terminal, options, async () => ({ to }));
    },
  );
  add<Options>(command, 'reset', 'say why it cannot go back, and what to do instead', [], () => {
    throw new FaultLines(noReset);
  });
  for (const name of jumpNames)
    add<Options>(command, name.replaceAll('_', '-'), about[name], [], (options) =>
      move(terminal, options, async ({ portal }) => {
        const jumps = (await portal.request(listClockJumps)).data.data;
        const at = jumps.find((jump) => jump.name === name)?.at;
        if (at) return { to: at };
        throw new FaultLines([
          `error: there is no ${name.replaceAll('_', ' ')}`,
          'hint: See the clock: tpay clock',
        ]);
      }),
    );
};
