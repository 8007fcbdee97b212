import { randomUUID } from 'node:crypto';
import { type EventType, eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import { resourceOf, stepOf } from '@tenant-payments/contract/steps.ts';
import { describe, expect, test } from 'vitest';
import { choicesOf, seedOf } from '../../../test/kit/seed.ts';
import { testWords } from '../../../test/kit/words.ts';
import { exampleOf } from '../../resources/examples/event_example.ts';
import { previousAttributes, writeEvent } from '../write/event.ts';
import { type Packed, packEvent, unpackEvent } from './event_text.ts';
import { packReply, recordWords } from './record_words.ts';
import { words } from './words.ts';

const seed = seedOf(process.env);
const now = '2026-11-26T10:00:00.000Z';

/** An event of this type about an example record. */
function exampleEvent(type: EventType) {
  const shown = exampleOf({ newId: randomUUID, now }, stepOf(type, null), { write: () => 'qr' });
  const { object, earlier } = shown;
  return writeEvent(
    { environment: 'sandbox', newId: randomUUID, tenantId: '', requestId: null },
    {
      at: now,
      type,
      objectType: resourceOf(type),
      objectId: shown.id,
      version: shown.version,
      object: JSON.stringify(object),
      previous: earlier && previousAttributes(earlier, object),
    },
  );
}

const facts = { id: randomUUID(), created_at: now, object_id: randomUUID() };
const again = (text: string) => unpackEvent({ ...facts, body: packEvent(text, facts) });

describe('a packed text', () => {
  test.each(eventTypes)('of %s unpacks to the same bytes, from half of them', (type) => {
    const { id, objectId, body } = exampleEvent(type);
    const row = { id, created_at: now, object_id: objectId };
    const packed = packEvent(body, row);
    expect(unpackEvent({ ...row, body: packed })).toBe(body);
    expect(packed.length).toBeLessThan(body.length / 2);
  });

  test(`of any JSON unpacks to the same bytes (SEED=${seed})`, () => {
    const { below, pick } = choicesOf(seed, 'texts');
    const ids = [facts.id, facts.object_id].map((id) => id.replaceAll('-', ''));
    const marks = [
      '"',
      '\\',
      '\u0001',
      '\u0002',
      '\u0019',
      '\u001a!',
      '\u001e',
      '\u001f',
      '\u2028',
    ];
    const pieces = [...words, ...ids, now, ...marks, 'ñ', '😀', 'a', ' '];
    for (let round = 0; round < 20_000; round += 1) {
      const value = Array.from({ length: below(12) }, () => pick(pieces)).join('');
      const text = JSON.stringify({ [value]: [value, below(1000), null] });
      expect(again(text)).toBe(text);
    }
  });

  test('unpacks to the same bytes where the end of a code looks like the beginning of an id', () => {
    const other = randomUUID().replaceAll('-', '');
    const alike = words.flatMap((word) => {
      const [, last = ''] = packEvent(word, facts);
      return /[0-9a-f]/.test(last) ? [{ word, object_id: last + other.slice(1) + other[0] }] : [];
    });
    expect(alike.length).toBeGreaterThan(20);
    for (const { word, object_id } of alike) {
      const row = { ...facts, object_id };
      const text = word + object_id.slice(1);
      expect(unpackEvent({ ...row, body: packEvent(text, row) })).toBe(text);
    }
  });

  test('is the text itself where it has none of the words, and so is one that was never packed', () => {
    const text = '{"id":"ev","object":"eve","created_a":1}';
    expect(unpackEvent({ ...facts, body: text as Packed })).toBe(text);
    expect(again(text)).toBe(text);
    expect(again('')).toBe('');
  });
});

test('a packed text shows the fields that an invariant looks for in SQL', () => {
  const { id, objectId, body } = exampleEvent('linked_account.verified');
  const packed = packEvent(body, { id, created_at: now, object_id: objectId });
  expect(packed).toContain('"withdrawal":true');
  expect(packed).toMatch(/"withdrawal_hold_until":(null|"[^"]+")/);
});

testWords(words, [[229, 'ec9e48ba807c3992508e910079bf2f0acf309e0802834d202b347cb486a12bb9']]);

test('a packed reply shows the record and the first version that an invariant looks for in SQL', () => {
  const id = `pay_${randomUUID().replaceAll('-', '')}`;
  const record = {
    id,
    object: 'payment',
    status: 'processing',
    currency: 'USD',
    description: 'x'.repeat(90),
  };
  for (const version of [1, 2]) {
    const text = JSON.stringify({ ...record, version });
    const packed = packReply(text);
    expect(recordWords.unpack(packed)).toBe(text);
    expect(packed.length).toBeLessThan(text.length);
    expect(packed.startsWith(`{"id":"${id}"`)).toBe(true);
    expect(packed.includes('"version":1}')).toBe(version === 1);
  }
});
