import { randomUUID } from 'node:crypto';
import { exampleOf } from '@tenant-payments/contract/examples/event_example.ts';
import { type EventType, eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import { resourceOf, stepOfEvent } from '@tenant-payments/contract/steps.ts';
import { describe, expect, test } from 'vitest';
import { choicesOf, seedOf } from '../../test/kit/seed.ts';
import { testWords } from '../../test/kit/words.ts';
import { previousAttributes, writeEvent } from '../write/event.ts';
import {
  eventText,
  type PackedText,
  packEvent,
  recordIn,
  type TextParts,
  unpackEvent,
} from './event_text.ts';
import { recordWords } from './record_words.ts';
import { words } from './words.ts';

const seed = seedOf(process.env);
const now = '2026-11-26T10:00:00.000Z';

/** An event of this type about an example record. */
function exampleEvent(type: EventType) {
  const shown = exampleOf({ newId: randomUUID, now }, stepOfEvent(type, null), {
    write: () => 'qr',
  });
  const { object, earlier } = shown;
  return writeEvent(
    { environment: 'sandbox', newId: randomUUID, tenantId: '', requestId: null, trace: null },
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

const parts = {
  ...exampleEvent('payment.created'),
  id: randomUUID(),
  objectId: randomUUID(),
  previous: null,
};
const rowOf = ({ id, at, objectId }: TextParts) => ({
  id,
  created_at: at,
  object_id: objectId,
});
/** The record of an event, after it was packed. */
const again = (object: string, objectId: string = parts.objectId) => {
  const event = { ...parts, objectId, object };
  const text = unpackEvent({ ...rowOf(event), body: packEvent(event) });
  const [head = '', tail = ''] = eventText({ ...event, object: '|' }).split('|');
  expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
  return text.slice(head.length, -tail.length);
};

describe('a packed text', () => {
  test.each(eventTypes)('of %s unpacks to the same bytes, from half of them', (type) => {
    const event = exampleEvent(type);
    const packed = packEvent(event);
    const text = eventText(event);
    expect(unpackEvent({ ...rowOf(event), body: packed })).toBe(text);
    expect(packed.length).toBeLessThan(text.length / 2);
    expect(JSON.stringify(recordIn({ ...rowOf(event), body: packed }))).toBe(event.object);
  });

  test(`of any JSON unpacks to the same bytes (SEED=${seed})`, () => {
    const { below, pick } = choicesOf(seed, 'texts');
    const ids = [parts.id, parts.objectId].map((id) => id.replaceAll('-', ''));
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
      const [, last = ''] = recordWords.pack(word);
      return /[0-9a-f]/.test(last) ? [{ word, objectId: last + other.slice(1) + other[0] }] : [];
    });
    expect(alike.length).toBeGreaterThan(20);
    for (const { word, objectId } of alike) {
      const text = word + objectId.slice(1);
      expect(again(text, objectId)).toBe(text);
    }
  });

  test('is the text itself where it has none of the words, and so is one that was never packed', () => {
    const text = '{"id":"ev","object":"eve","created_a":1}';
    expect(unpackEvent({ ...rowOf(parts), body: text as PackedText })).toBe(text);
    expect(again(text)).toBe(text);
    expect(again('')).toBe('');
  });
});

testWords(words, [[229, 'ec9e48ba807c3992508e910079bf2f0acf309e0802834d202b347cb486a12bb9']]);
