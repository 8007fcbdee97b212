import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import type { Values } from '../core/entity.ts';
import type { Recorded } from './records.ts';

/** An event as it is stored, of one record. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly created_at: string;
  readonly body: string;
}

/** A fault of a record's history, by the name of the invariant. */
export interface Fault {
  readonly invariant: string;
  readonly message: string;
}

interface Body extends Values {
  readonly data: { readonly object: Values; readonly previous_attributes: Values | null };
}

/** Returned only on creation, and never in an event (decisions 1.2). */
const secretFields = ['confirmation_session', 'onboarding_session', 'token'];
/** They change with every version, so previous_attributes does not repeat them (decisions 1.2). */
const unmentioned = new Set(['version', 'updated_at']);
const knownTypes = new Set<string>(eventTypes);

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

function parse(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body) || !isObject(body.data) || !isObject(body.data.object)) return null;
    const previous = body.data.previous_attributes;
    return previous === null || isObject(previous) ? (body as Body) : null;
  } catch {
    return null;
  }
}

/** The keys whose values differ. */
function differing(before: Values, after: Values): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !same(before[key], after[key]));
}

/** The state that a creation without event leaves, or null where creations have one. */
function silentStart(lifecycle: Lifecycle): string | null {
  const silent = Object.values(lifecycle.moves).find((m) => m.from === 'new' && m.event === null);
  return silent?.to ?? null;
}

/** Whether a row of the state table leads from `was` (null: a new record) to `now` with this event. */
function isMove({ lifecycle }: Recorded, type: string, was: unknown, now: unknown): boolean {
  const moved = Object.values(lifecycle.moves).some(({ event, from, to }) => {
    if (event !== type) return false;
    if (from === 'new') return was === null && now === to;
    return from.includes(String(was)) && now === (to === 'same' ? was : to);
  });
  // Any other visible change is told as updated and leaves the status alone.
  return moved || (type === `${lifecycle.resource}.updated` && was === now && knownTypes.has(type));
}

/** What previous_attributes gets wrong about the step, as words; '' when it undoes the step. */
function undoFault(previous: Values, earlier: Values, object: Values): string {
  const changed = differing(earlier, object).filter((key) => !unmentioned.has(key));
  const missing = changed.filter((key) => !same(previous[key], earlier[key] ?? null));
  const extra = Object.keys(previous).filter((key) => !changed.includes(key));
  return [
    ...missing.map((key) => `${key} is not undone`),
    ...extra.map((key) => `${key} did not change`),
  ].join(', ');
}

/** The faults of one event against the columns beside it. */
function bodyFaults(event: StoredEvent, body: Body): Fault[] {
  const wrong = [
    body.id !== publicId('event', event.id) && 'id',
    body.type !== event.type && 'type',
    body.created_at !== event.created_at && 'created_at',
    body.object !== 'event' && 'object',
    body.api_version !== 'v1' && 'api_version',
  ].filter((name) => name !== false);
  const { version } = body.data.object;
  if (typeof version === 'number' && version !== event.version) wrong.push('data.object.version');
  const faults = wrong.map((name) => ({
    invariant: '6.body',
    message: `version ${event.version}: ${name} is not that of the event`,
  }));
  const shown = secretFields.filter((name) => (body.data.object[name] ?? null) !== null);
  return [
    ...faults,
    ...shown.map((name) => ({
      invariant: '6.secrets',
      message: `version ${event.version} shows ${name}`,
    })),
  ];
}

/** One step: the record before it (null where the history begins) and its event. */
function stepFaults(
  recorded: Recorded,
  before: Values | null,
  event: StoredEvent,
  body: Body,
): Fault[] {
  const faults: Fault[] = [];
  const { object, previous_attributes: previous } = body.data;
  const start = silentStart(recorded.lifecycle);
  const begins = before === null && start === null;
  // A record that was created in silence is known by undoing its first event.
  const earlier = before ?? (begins ? null : { ...object, ...previous });
  const was = earlier === null ? null : recorded.statusOf(earlier);
  const now = recorded.statusOf(object);
  if (
    !isMove(recorded, event.type, was, now) ||
    (before === null && start !== null && was !== start)
  )
    faults.push({
      invariant: '6.moves',
      message: `version ${event.version}: ${event.type} does not lead from ${was} to ${now}`,
    });
  if ((previous === null) !== (earlier === null)) {
    const message = `version ${event.version}: ${previous === null ? 'none' : 'some'} where the record ${begins ? 'begins' : 'changed'}`;
    faults.push({ invariant: '6.previous_attributes', message });
  } else if (previous !== null && earlier !== null) {
    const fault = undoFault(previous, earlier, object);
    if (fault !== '')
      faults.push({
        invariant: '6.previous_attributes',
        message: `version ${event.version}: ${fault}`,
      });
  }
  return faults;
}

/** Versions run 1..n, each with one event; a creation in silence leaves version 1 without. */
function versionFaults(recorded: Recorded, row: Values, events: readonly StoredEvent[]): Fault[] {
  const first = silentStart(recorded.lifecycle) === null ? 1 : 2;
  const told = events.map((event) => event.version);
  const wanted = Math.max(0, Number(row.version) - first + 1);
  const gapless = told.every((version, index) => version === first + index);
  if (gapless && told.length === wanted) return [];
  const message = `version ${row.version}, events of ${told.join(', ') || 'none'}`;
  return [{ invariant: '6.versions', message }];
}

/** The last event shows the record as GET does now (decisions 2.3, number 6). */
function lastFaults(recorded: Recorded, row: Values, last: StoredEvent, object: Values): Fault[] {
  const faults: Fault[] = [];
  const now = { ...recorded.present(row) };
  for (const field of recorded.unkept) now[field] = object[field];
  const fields = differing(now, object);
  if (fields.length > 0)
    faults.push({
      invariant: '6.last_object',
      message: `version ${last.version} does not show the record as it is: ${fields.join(', ')}`,
    });
  if (row.updated_at !== last.created_at)
    faults.push({
      invariant: '6.times',
      message: `updated ${row.updated_at}, last event ${last.created_at}`,
    });
  return faults;
}

/**
 * All that decisions 2.3, number 6, says of one record: its row against its events, which come by
 * version, sample events aside.
 */
export function historyFaults(
  recorded: Recorded,
  row: Values,
  events: readonly StoredEvent[],
): Fault[] {
  const faults = versionFaults(recorded, row, events);
  let before: Values | null = null;
  let at = '';
  for (const event of events) {
    const body = parse(event.body);
    if (!body) {
      faults.push({ invariant: '6.body', message: `version ${event.version} is no event` });
      return faults;
    }
    if (event.created_at < at)
      faults.push({
        invariant: '6.times',
        message: `version ${event.version} at ${event.created_at} is before the one before it`,
      });
    faults.push(...bodyFaults(event, body), ...stepFaults(recorded, before, event, body));
    before = body.data.object;
    at = event.created_at;
  }
  const last = events.at(-1);
  if (last && before) faults.push(...lastFaults(recorded, row, last, before));
  return faults;
}
