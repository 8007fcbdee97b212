import { getRecord } from '@tenant-payments/backoffice/contract/records/records.ts';
import { createSampleEvent } from '@tenant-payments/backoffice/contract/sandbox/chaos.ts';
import { getClock } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import { listEvents } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { type EventType, eventTypes } from '@tenant-payments/contract/catalog.ts';
import { type Flag, print } from '../../declare.ts';
import { type ExitCode, exitCodes, FaultLines, UsageError } from '../../terminal.ts';
import { assertAgreed } from '../agree.ts';
import { apiOf, type Connection, connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import { oneOf } from '../nearest.ts';
import type { Console, Options } from '../options.ts';
import { setAll } from '../resources/data.ts';
import { columns } from '../show.ts';
import { openCast } from './cast.ts';
import { moneyScripts } from './money_scripts.ts';
import { peopleScripts, type Script } from './people_scripts.ts';
import { clockMoves, timeScripts } from './time_scripts.ts';

interface TriggerOptions extends Options {
  readonly object?: string;
  readonly set?: readonly string[];
  readonly sample?: true;
  readonly list?: true;
  readonly yes?: true;
}

interface Sent {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  /** True: nothing happened to the record. */
  readonly sample: boolean;
}

/** Every type, so that one that is added does not compile without. */
const scripts: Readonly<Record<EventType, Script>> = {
  ...peopleScripts,
  ...moneyScripts,
  ...timeScripts,
};

/** How far a type moves the Tenant's clock; null: not at all. */
const moveOf = (type: EventType): string | null =>
  Object.hasOwn(clockMoves, type) ? clockMoves[type as keyof typeof clockMoves] : null;

const objectIdOf = ({ object }: { readonly object: Readonly<Record<string, unknown>> }): string =>
  String(object.id ?? '');

/** An event that shows a record as it is, or as `--set` has it; the record does not change. */
async function sendSample(
  { portal }: Connection,
  type: EventType,
  { object, set = [] }: TriggerOptions,
): Promise<Sent> {
  if (set.length > 0 && object === undefined)
    throw new UsageError('--set needs a record to change in the event', 'Name it: --object ID');
  const shown = set.length > 0 ? await portal.request(getRecord, object ?? '') : null;
  const { data } = await portal.request(createSampleEvent, {
    type,
    ...(object ? { object_id: object } : {}),
    ...(shown ? { object: setAll(shown.data.record, set) } : {}),
  });
  return { id: data.id, type, object_id: objectIdOf(data.data), sample: true };
}

/** Makes the records, and finds the event that came of it. */
async function makeRecord(connection: Connection, type: EventType, script: Script): Promise<Sent> {
  const { portal } = connection;
  const { now } = (await portal.request(getClock)).data;
  await script(openCast(apiOf(connection), portal, connection.baseUrl));
  const { data } = await portal.request(listEvents, { type, from: now, limit: 10 });
  const event = data.data.find(({ sample }) => !sample);
  if (!event)
    throw new FaultLines([
      `error: the records were made, and no ${type} came of them`,
      `hint: Send an example instead: tpay trigger ${type} --sample`,
    ]);
  return { id: event.id, type, object_id: objectIdOf(event.data), sample: false };
}

function list(terminal: Console, options: Options): ExitCode {
  const rows = eventTypes.map((type) => ({ type, real: true, moves_clock: moveOf(type) }));
  const words = rows.map(({ type, moves_clock: by }) => [
    type,
    by === null ? 'makes records' : `makes records, and moves the Tenant's clock ${by}`,
  ]);
  return print(terminal, options, { data: rows }, columns(words));
}

/** `trigger`: an event of any type, with real records underneath where calls can make them. */
async function trigger(
  terminal: Console,
  options: TriggerOptions,
  given: string | undefined,
): Promise<ExitCode> {
  if (options.list) return list(terminal, options);
  const all = 'List them with: tpay trigger --list';
  if (given === undefined) throw new UsageError('trigger needs an event type', all);
  const type = oneOf('an event type', given, eventTypes, all);
  const connection = connect(terminal, options);
  const isSample = options.object !== undefined || options.sample || options.set;
  const by = moveOf(type);
  if (!isSample && by !== null)
    await assertAgreed(terminal, options, {
      act: `Move the Tenant's clock ${by}, with all that falls due on the way; it never goes back`,
      would: `the Tenant's clock would move ${by}`,
      other: ', or send an example with --sample',
    });
  const sent = isSample
    ? await sendSample(connection, type, options)
    : await makeRecord(connection, type, scripts[type]);
  print(terminal, options, sent, [
    `${sent.type}  ${sent.id}  ${sent.sample ? 'sample of' : 'of'} ${sent.object_id}`,
    `See its delivery with: tpay events get ${sent.id}`,
  ]);
  return exitCodes.done;
}

const flags: readonly Flag[] = [
  ['--object <id>', 'show this record in the event; nothing happens to it'],
  ['--set <path=value>', 'change the record in the event: amount=450', 'repeated'],
  ['--sample', 'send an example, and make no record'],
  ['--list', 'list the types'],
  ['--yes', "move the Tenant's clock without asking, where a type needs it"],
];

export const declareTrigger: Declare = ({ terminal, fill }, command) => {
  fill<TriggerOptions>(command, flags, (options, [type]) => trigger(terminal, options, type));
};
