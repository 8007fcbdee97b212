import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from './journal.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'journal-')), 'journal.jsonl');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

const onFault = (error: unknown) => {
  throw error;
};
const entryOf = (index: number) => ({ at: '2026-11-29T10:00:00.000Z', delivered: `evt_${index}` });

test('what was acknowledged is on the disk, in order, also of a process that did not end well', async () => {
  const { journal } = await openJournal(path, onFault);
  const entries = Array.from({ length: 200 }, (_, index) => entryOf(index));
  await Promise.all(entries.map(journal.append));
  const again = await openJournal(path, onFault);
  expect(again.entries).toEqual(entries);
  await Promise.all([journal.close(), again.journal.close()]);
});

test('a line that the machine has lost the end of is cut off, and the next one stands by itself', async () => {
  const { journal } = await openJournal(path, onFault);
  await journal.append(entryOf(1));
  await journal.close();
  appendFileSync(path, '{"at":"2026-11-29T1');
  const torn = await openJournal(path, onFault);
  expect(torn.entries).toEqual([entryOf(1)]);
  await torn.journal.append(entryOf(2));
  await torn.journal.close();
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([entryOf(1), entryOf(2)]);
});

test('a journal that is damaged anywhere else does not open', async () => {
  appendFileSync(path, '{"at":1}\n{"at"\n{"at":3}\n');
  await expect(openJournal(path, onFault)).rejects.toThrow('is damaged in line 2');
});
