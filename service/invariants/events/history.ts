import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import type { Values } from '@tenant-payments/engine/entity.ts';
import { type PackedText, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import type { RecordedResource } from './recorded.ts';

/** An event as it is stored, of one record. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly created_at: string;
  readonly object_id: string;
  readonly body: PackedText;
}

/** Reports a violation by the name of the invariant. */
export type Report = (invariant: string, message: string) => void;

/** How a history is checked. */
export interface Checking {
  readonly report: Report;
  /** At which versions the Tenant's records may go on after a restore (rules/restore#13). */
  readonly floors: ReadonlySet<number>;
}

interface Body extends Values {
  readonly data: { readonly object: Values; readonly previous_attributes: Values | null };
}

/** Returned only on creation, and never in an event (rules/events#6). */
const secretFields = ['confirmation_session', 'onboarding_session', 'token'];
/** They change with every version, so previous_attributes leaves them out (rules/events#7). */
const unmentioned = new Set(['version', 'updated_at']);
const knownTypes = new Set<string>(eventTypes);

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

function parse(event: StoredEvent): Body | null {
  try {
    const body: unknown = JSON.parse(unpackEvent(event));
    if (!isObject(body) || !isObject(body.data) || !isObject(body.data.object)) return null;
    const previous = body.data.previous_attributes;
    return previous === null || isObject(previous) ? (body as Body) : null;
  } catch {
    return null;
  }
}

/** The keys whose values differ. */
function differing(before: Values, after: Values): string[] {
  const keys: string[] = [];
  for (const key in after) if (!same(before[key], after[key])) keys.push(key);
  for (const key in before) if (!(key in after)) keys.push(key);
  return keys;
}

/**
 * Versions run 1..n, or go on at the floor of a restore, each with one event; a creation without event leaves
 * version 1 without.
 */
function checkVersions(
  recorded: RecordedResource,
  row: Values,
  events: readonly StoredEvent[],
  { report, floors }: Checking,
) {
  let last = recorded.silentStart === null ? 0 : 1;
  const gapless = events.every(({ version }) => {
    const isNext = version === last + 1 || (version > last && floors.has(version));
    last = version;
    return isNext;
  });
  if (gapless && Number(row.version) === Math.max(last, 1)) return;
  const found = events.map(({ version }) => version).join(', ');
  report('6.versions', `version ${row.version}, events of ${found || 'none'}`);
}

/** The text that is signed and sent agrees with the columns of its row. */
function checkBody(event: StoredEvent, body: Body, report: Report): void {
  const { object } = body.data;
  const agree = (name: string, is: unknown, should: unknown) => {
    if (is !== should)
      report('6.body', `version ${event.version}: ${name} is ${is} instead of ${should}`);
  };
  agree('id', body.id, publicId('event', event.id));
  agree('object', body.object, 'event');
  agree('type', body.type, event.type);
  agree('api_version', body.api_version, 'v1');
  agree('created_at', body.created_at, event.created_at);
  // Only if the record shows a version; that of a document is another text.
  if (typeof object.version === 'number') agree('version', object.version, event.version);
  for (const name of secretFields)
    if ((object[name] ?? null) !== null)
      report('6.secrets', `version ${event.version} shows ${name}`);
}

/** Whether a move leads from `was` (null: a new record) to `now` with this event. */
function isMove(recorded: RecordedResource, type: string, was: unknown, now: unknown): boolean {
  for (const { event, from, to } of recorded.moves) {
    if (event !== type) continue;
    if (from === 'new') {
      if (was === null && now === to) return true;
    } else if (from.includes(String(was)) && now === (to === 'same' ? was : to)) return true;
  }
  // Any other visible change is an `updated` event and keeps the status.
  return type === `${recorded.resource}.updated` && was === now && knownTypes.has(type);
}

/** previous_attributes holds every changed field's earlier value, and no other's. */
function checkUndo(version: number, body: Body, earlier: Values, report: Report): void {
  const { object } = body.data;
  const previous = body.data.previous_attributes ?? {};
  const changed = differing(earlier, object).filter((key) => !unmentioned.has(key));
  const wrong = [
    ...changed.filter((key) => !(key in previous) || !same(previous[key], earlier[key] ?? null)),
    ...Object.keys(previous).filter((key) => !changed.includes(key)),
  ];
  if (wrong.length > 0)
    report('6.previous_attributes', `version ${version} does not undo ${wrong.join(', ')}`);
}

/**
 * One step from the record before it: null where the history begins, `forgotten` where the text of
 * the event before was removed.
 */
function checkStep(
  recorded: RecordedResource,
  known: Values | 'forgotten' | null,
  event: StoredEvent,
  body: Body,
  report: Report,
): void {
  const { object, previous_attributes: previous } = body.data;
  const { silentStart, statusOf } = recorded;
  const begins = known === null && silentStart === null;
  const before = known === 'forgotten' ? null : known;
  // Without the earlier record, it is restored from previous_attributes.
  const earlier = before ?? (begins ? null : { ...object, ...previous });
  const was = earlier === null ? null : statusOf(earlier);
  const now = statusOf(object);
  const continues = known !== null || begins || was === silentStart;
  if (!continues || !isMove(recorded, event.type, was, now))
    report(
      '6.moves',
      `version ${event.version}: ${event.type} does not lead from ${was} to ${now}`,
    );
  if ((previous === null) !== begins)
    report('6.previous_attributes', `version ${event.version}: null where a record begins alone`);
  else if (earlier !== null) checkUndo(event.version, body, earlier, report);
}

/** The last event shows the record as GET does now. */
function checkLast(
  recorded: RecordedResource,
  row: Values,
  last: StoredEvent,
  object: Values | 'forgotten',
  report: Report,
): void {
  const now = recorded.present(row);
  const differ = object === 'forgotten' ? [] : differing(now, object);
  const fields = differ.filter((key) => !recorded.unkept.includes(key));
  if (fields.length > 0)
    report('6.last_object', `version ${last.version} shows another ${fields.join(', ')} than now`);
  if (row.updated_at !== last.created_at)
    report('6.times', `updated ${row.updated_at}, last event ${last.created_at}`);
}

/**
 * Checks the row of one record against its events in the order of their versions, without sample
 * events (rules/invariants#6).
 */
export function checkHistory(
  recorded: RecordedResource,
  row: Values,
  events: readonly StoredEvent[],
  checking: Checking,
): void {
  const { report } = checking;
  checkVersions(recorded, row, events, checking);
  let before: Values | 'forgotten' | null = null;
  let at = '';
  let environment: unknown = null;
  for (const event of events) {
    // The text was removed after its time (rules/retention#12), so it cannot be checked.
    if (event.body === '') {
      before = 'forgotten';
      at = event.created_at;
      continue;
    }
    const body = parse(event);
    if (!body) {
      report('6.body', `version ${event.version} is no event`);
      return;
    }
    if (event.created_at < at)
      report('6.times', `version ${event.version} at ${event.created_at} is before the last`);
    checkBody(event, body, report);
    environment ??= body.environment;
    if (body.environment !== environment)
      report('6.body', `version ${event.version} is of ${body.environment}, not of ${environment}`);
    checkStep(recorded, before, event, body, report);
    before = body.data.object;
    at = event.created_at;
  }
  const last = events.at(-1);
  if (last && before) checkLast(recorded, row, last, before, report);
}
