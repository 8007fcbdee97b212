import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runNode } from '../kit/processes/run_node.ts';

/** Ids, times and ports differ from run to run. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z]+)_…[0-9a-f]{4}\b/g, '$1_…'],
  [/\b(localhost|127\.0\.0\.1):\d+/g, '$1:PORT'],
  [/\b\d+\.\d s\b/g, 'N s'],
];

const masked = (text: string): string =>
  masks.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);

const page = (story: string): string =>
  [
    '# Pay by QR',
    '',
    'What `npm run demo` prints, with ids, times and ports masked. A test runs it and compares;',
    '`npm run unit -- test/journeys -u` writes it anew.',
    '',
    '```text',
    story.trim(),
    '```',
    '',
  ].join('\n');

test('every fact of the demo holds, and its output is the page that is checked in', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const ended = await runNode(['--import', 'tsx', 'test/journeys/demo.ts'], { cwd });
  expect(ended).toMatchObject({ code: 0 });
  await expect(page(masked(ended.stdout))).toMatchFileSnapshot('./pay-by-qr.out.md');
});
