import { randomUUID } from 'node:crypto';
import { codeAt } from '@tenant-payments/engine/packed_text/dictionary.ts';
import {
  eventText,
  packEvent,
  type StoredText,
  type TextParts,
  unpackEvent,
} from '@tenant-payments/engine/packed_text/event_text.ts';
import { recordWords } from '@tenant-payments/engine/packed_text/record_words.ts';
import { words as ofRecords } from '@tenant-payments/engine/packed_text/words.ts';
import { expect, test } from 'vitest';
import { openSampleLedger } from '../../test/kit/ledger/sample_ledger.ts';
import { choicesOf, seedOf } from '../../test/kit/seed.ts';
import { packHeaders, unpackHeaders } from '../webhooks/header_text/header_text.ts';
import { words as ofHeaders } from '../webhooks/header_text/words.ts';

const seed = seedOf(process.env);
const { owner, service } = await openSampleLedger();
const all = async <T>(sql: string, values: readonly unknown[] = []): Promise<T[]> =>
  (await owner.query(sql, [...values])).rows;

test('the table holds the very words of the code, each with its code', async () => {
  const rows = await all('select dictionary, code, word from stored_words');
  const expected = (dictionary: string, words: readonly string[]) =>
    words.map((word, place) => ({ dictionary, code: codeAt(place), word }));
  expect(rows).toEqual(
    expect.arrayContaining([...expected('record', ofRecords), ...expected('header', ofHeaders)]),
  );
  expect(rows).toHaveLength(ofRecords.length + ofHeaders.length);
});

test('SQL reads each event as it was signed and sent, byte for byte', async () => {
  const rows = await all<StoredText & { text: string; body_of_view: string }>(
    `select e.id, e.object_id, e.created_at, e.body, r.body::text as body_of_view,
       event_text(e.id, e.object_id, e.created_at, e.body) as text
     from events e join events_readable r on r.tenant_id = e.tenant_id and r.id = e.id`,
  );
  expect(rows.length).toBeGreaterThan(100);
  for (const { text, body_of_view, ...row } of rows) {
    expect(text).toBe(unpackEvent(row));
    expect(body_of_view).toBe(text);
  }
});

test(`SQL reads any text and any header as the service does (SEED=${seed})`, async () => {
  const { below, pick } = choicesOf(seed, 'texts of SQL');
  const marks = ['"', '\\', '\n', '\u0001', '\u0002', '\u001a!', '\u001d', '\u001f', '\u2028'];
  const value = (words: readonly string[]) =>
    Array.from({ length: below(12) }, () =>
      pick([...words, ...marks, 'ñ', '😀', 'a', '0123456789abcdef'.repeat(4)]),
    ).join('');
  const parts: TextParts[] = Array.from({ length: 2000 }, () => ({
    id: randomUUID(),
    type: 'payment.created',
    environment: 'sandbox',
    at: '2026-11-26T10:00:00.123Z' as TextParts['at'],
    objectId: randomUUID(),
    object: JSON.stringify({ [value(ofRecords)]: [value(ofRecords), below(1000), null] }),
    previous: null,
  }));
  const events = await all<{ text: string }>(
    `select event_text(id, object_id, $3, body) as text
     from unnest($1::uuid[], $2::uuid[], $4::text[]) x(id, object_id, body)`,
    [parts.map(({ id }) => id), parts.map(({ objectId }) => objectId), parts[0]?.at].concat([
      parts.map(packEvent),
    ]),
  );
  expect(events.map(({ text }) => text)).toEqual(parts.map(eventText));
  const headers = parts.map(() => ({ [value(ofHeaders)]: value(ofHeaders) }));
  const packed = headers.map(packHeaders);
  const read = await all<{ text: string }>(
    'select header_json(x.packed)::text as text from unnest($1::text[]) x(packed)',
    [packed],
  );
  expect(read.map(({ text }) => JSON.parse(text))).toEqual(packed.map(unpackHeaders));
});

test('SQL reads requests, replies and attempts as the service does', async () => {
  await service.requestLog.flush();
  const bodies = await all<{ packed: string; read: string }>(
    `select r.request_body as packed, v.request_body::text as read
       from requests r join requests_readable v using (tenant_id, id) where r.request_body is not null
     union all select r.response_body, v.response_body::text
       from requests r join requests_readable v using (tenant_id, id) where r.response_body is not null
     union all select i.body, v.reply::text
       from idempotency i join replies_readable v using (tenant_id, key_hash) where i.body is not null`,
  );
  expect(bodies.length).toBeGreaterThan(10);
  for (const { packed, read } of bodies) expect(read).toBe(recordWords.unpack(packed));
  const { length } = await all('select request_headers, response_headers from attempts_readable');
  expect((await all('select from attempts')).length).toBe(length);
  await all('select * from further_attempts_readable');
});

test('a day of events leaves by COPY, one line of JSON each, as it was sent', async () => {
  const [place] = await all<{ file: string }>(
    `select current_setting('data_directory') || '/${randomUUID()}' as file`,
  );
  // Neither mark is in JSON text, so each line is the text itself.
  await owner.query(`copy (select body from events_readable
      where recorded_at >= now() - interval '1 day' order by tenant_id, id)
    to '${place?.file}' with (format csv, quote E'\\x01', delimiter E'\\x02')`);
  const rows = await all<StoredText>(
    'select id, object_id, created_at, body from events order by tenant_id, id',
  );
  const [written] = await all<{ text: string }>('select pg_read_file($1) as text', [place?.file]);
  expect(written?.text.trimEnd().split('\n')).toEqual(rows.map(unpackEvent));
});
