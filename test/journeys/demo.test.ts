import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';

/** Ids, times and ports differ from run to run. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z]+)_…[0-9a-f]{4}\b/g, '$1_…'],
  [/\b(localhost|127\.0\.0\.1):\d+/g, '$1:PORT'],
  [/\b\d+\.\d s\b/g, 'N s'],
];

const masked = (text: string): string =>
  masks.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);

const longestMs = 80_000;

async function runDemo(): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/journeys/demo.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: longestMs,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

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

test(
  'the demo holds all its facts and tells the story that is checked in',
  async () => {
    const { code, output } = await runDemo();
    expect({ code, output }).toMatchObject({ code: 0 });
    await expect(page(masked(output))).toMatchFileSnapshot('./pay-by-qr.out.md');
  },
  longestMs + 10_000,
);
