import { expect, test } from 'vitest';
import { type Entity, entity } from '../entity.ts';
import { keyPathOf } from '../load/path.ts';
import type { Scope } from '../load/reader.ts';
import { type Columns, column, table } from '../table.ts';
import type { EventText } from './event.ts';
import { flushStatements } from './flush.ts';

const tenantId = '01a21961-2630-7000-b081-4f4160bfbcd1';

const wideTable = () =>
  table({
    name: 'wide',
    columns: {
      id: column.uuid,
      a: column.integer,
      b: column.integer,
      c: column.integer,
      d: column.integer,
      e: column.integer,
      notes: column.json,
    } satisfies Columns,
    key: ['id'],
  });

const asRead = { id: tenantId, a: 0, b: 0, c: 0, d: 0, e: 0, notes: null };

const statementsOf = (entities: readonly Entity[]) =>
  flushStatements({
    scope: { entities: () => entities.values() } as unknown as Scope,
    staged: { entries: [], events: [], jobs: [], audit: [], audited: [], counted: [] },
    realInstant: (_tenantId, at) => at,
    delivers: () => false,
    furtherEndpoints: () => [],
  });

/** The one statement that writes rows which a batch has changed so. */
function updateOf(changes: readonly object[], wide = wideTable()) {
  const entities = changes.map((change) => {
    const changed = entity(wide, tenantId, { ...asRead, ...change }, 1);
    // The note of a row is the same object before and after.
    changed.before = { ...asRead, notes: changed.row.notes };
    changed.changed = true;
    return changed;
  });
  const [statement, ...others] = statementsOf(entities);
  expect(others).toEqual([]);
  return statement;
}
/** The statements of an event of a Tenant with a first endpoint, and of as many further ones. */
function written(further: readonly string[]): string[] {
  const event: EventText = {
    tenantId,
    id: tenantId,
    type: 'payment.created',
    at: '2026-01-01T00:00:00.000Z',
    objectType: 'payment',
    objectId: tenantId,
    version: 1,
    object: '{}',
    previous: null,
    environment: 'sandbox',
    sample: false,
    requestId: null,
    trace: null,
  };
  return flushStatements({
    scope: { entities: () => [].values() } as unknown as Scope,
    staged: {
      entries: [],
      events: [event],
      jobs: [],
      audit: [],
      audited: [],
      counted: [],
    },
    realInstant: (_tenantId, at) => at,
    delivers: () => true,
    furtherEndpoints: () => further,
  }).map(({ name }) => name);
}

test('an event of a Tenant with one endpoint is written by the two statements that it always was', () => {
  const [event, delivery, ...others] = written([]);
  expect([event, delivery, others]).toEqual(['copy events 11', 'copy deliveries 5', []]);
  const further = written([tenantId, tenantId]);
  expect(further).toEqual([event, delivery, 'copy further_deliveries 6']);
});

const setBy = (text = '') => [...text.matchAll(/(\w+) = x\.\1, /g)].map(([, name]) => name);

test('an update writes the columns that have changed in one of its rows, and no others', () => {
  expect(setBy(updateOf([{ a: 1 }, { c: 2 }])?.text)).toEqual(['a', 'c']);
  expect(setBy(updateOf([{ a: 1 }])?.text)).toEqual(['a']);
  expect(setBy(updateOf([{}])?.text)).toEqual([]);
});

test('what is no plain value counts as changed, since it may have changed within', () => {
  expect(setBy(updateOf([{ notes: { text: 'as before' } }])?.text)).toEqual(['notes']);
});

test('a table has no more than 17 prepared updates, of which one writes all columns', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const texts = new Map<string, string>();
  const wide = wideTable();
  for (let set = 1; set < 2 ** names.length; set += 1) {
    const change = Object.fromEntries(names.filter((_, at) => set & (1 << at)).map((n) => [n, 1]));
    const { name, text } = updateOf([change], wide) ?? { name: '', text: '' };
    expect(texts.get(name) ?? text).toBe(text);
    texts.set(name, text);
    expect(setBy(text)).toEqual(expect.arrayContaining(Object.keys(change)));
  }
  expect(texts.size).toBe(17);
  expect(setBy(texts.get(`update ${wide.name}`))).toEqual([...names, 'notes']);
});

test('of two tables with one name each has statements of its own, which read and write its own columns', () => {
  const wide = wideTable();
  const narrow = table({
    name: 'wide',
    columns: { id: column.uuid, a: column.integer, z: column.integer } satisfies Columns,
    key: ['id'],
  });
  expect(setBy(updateOf([{ a: 1 }], wide)?.text)).toEqual(['a']);
  const changed = entity(narrow, tenantId, { id: tenantId, a: 0, z: 1 }, 1);
  changed.before = { id: tenantId, a: 0, z: 0 };
  changed.changed = true;
  const [update] = statementsOf([changed]);
  expect(setBy(update?.text)).toEqual(['z']);
  const [ofWide, ofNarrow] = [wide, narrow].map((one) => keyPathOf(one).text);
  expect([ofWide?.includes('t.notes'), ofNarrow?.includes('t.notes')]).toEqual([true, false]);
});
