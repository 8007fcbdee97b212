import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alarmNames, alarmTexts } from '../../backoffice/contract/operate/alarm_texts.ts';

/** The alarms of the code, of the guide and of the console are the same. */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** Names that a line takes from a list: facts of the outside, and jobs of a dispute. */
const fromLists: Readonly<Record<string, RegExp>> = {
  'service/inbound/inbound.ts': /const alarming[^=]*= \[([^\]]*)\]/,
  'service/resources/disputes/deadline_jobs.ts': /const alarms:[^=]*= (\{[\s\S]*?\n\};)/,
};

/** Every file of the service and of what starts it. */
const files = ['engine', 'service', 'backoffice', 'fleet', 'cli', 'start', 'scripts'].flatMap(
  (folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
      .map((path) => `${folder}/${path}`),
);

function inCode(): Set<string> {
  const found = new Set<string>();
  for (const path of files)
    for (const [, name = ''] of read(path).matchAll(/\balarm: '(\w+)'/g)) found.add(name);
  const [facts, disputes] = Object.entries(fromLists).map(([path, shape]) => {
    const [, list = ''] = shape.exec(read(path)) ?? [];
    return list;
  });
  for (const [, name = ''] of (facts ?? '').matchAll(/'(\w+)'/g)) found.add(name);
  for (const [, name = ''] of (disputes ?? '').matchAll(/^ {2}(\w+): \{/gm)) found.add(name);
  return found;
}

test('every alarm of the code says what it means and what to do, and no other does', () => {
  expect([...inCode()].sort()).toEqual([...alarmNames].sort());
});

test('the table of the reference is the one that the console shows', () => {
  const [, table = ''] =
    /\| alarm +\|[^\n]*\n\|[- |]+\n([\s\S]*?)\n$/.exec(read('docs/reference/alarms.md')) ?? [];
  const rows = table
    .replaceAll(/\[(`\w+`)\]\([^)]*\)/g, '$1')
    .split('\n')
    .map((line) =>
      line
        .split(/ *\| */)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(
    alarmTexts.map((text) => [
      'having' in text ? `\`${text.alarm}\`, with \`${text.having}\`` : `\`${text.alarm}\``,
      text.means,
      text.remedy,
    ]),
  );
});
