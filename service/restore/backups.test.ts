import { expect, test } from 'vitest';
import { type BackupState, backupFaults } from './backups.ts';

const day = 86_400;
const good: BackupState = {
  archive_mode: 'on',
  archive_timeout: 60,
  last_archived_seconds: 30,
  is_failing: false,
  made_seconds: day,
  tried_seconds: 30 * day,
};

test.each([
  [{}, []],
  [{ archive_mode: 'off' }, ['archive_mode is off']],
  [{ is_failing: true }, ['The last archive_command failed']],
  [{ archive_timeout: 0 }, ['archive_timeout is 0']],
  [{ last_archived_seconds: null }, ['Nothing was archived yet']],
  [{ last_archived_seconds: 2 * 3_600 }, ['Nothing was archived for 120 minutes']],
  [{ made_seconds: 9 * day }, ['The last base backup is 9 days old']],
  [{ tried_seconds: null }, ['No backup was ever restored to try it']],
  [{ tried_seconds: 101 * day }, ['A backup was last restored to try it 101 days ago']],
] as const)('what is wrong with backups is said: %j', (changes, faults) => {
  const found = backupFaults({ ...good, ...changes }, true);
  expect(found.map((fault, at) => fault.startsWith(faults[at] ?? '-'))).toEqual(
    faults.map(() => true),
  );
});

test('of the embedded server nothing is asked of an archive', () => {
  expect(backupFaults({ ...good, archive_mode: 'off' }, false)).toEqual([]);
});
