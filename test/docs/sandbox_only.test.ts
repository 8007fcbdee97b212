import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { comments, sandboxMark } from '../../contract/emit/tables/sandbox_only.ts';
import { snippetsOf } from '../kit/guides/snippets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pagesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

/** Pages with snippets that a reader runs. */
const pages = [
  ...pagesIn('docs/guide'),
  ...pagesIn('docs/reference/errors'),
  'README.md',
  'sdk/browser/README.md',
  'sdk/server/README.md',
  'examples/corner-shop/README.md',
];

const isMark = (line: string) => /^(?:#|\/\/) sandbox only/.test(line);

test('each snippet that works in a sandbox alone says so in its first line, and no other does', () => {
  const wrong: string[] = [];
  for (const page of pages)
    for (const { language, text } of snippetsOf(readFileSync(join(root, page), 'utf8'))) {
      if (!(language in comments)) continue;
      const [first = '', ...rest] = text.split('\n');
      const bare = isMark(first) ? rest.join('\n') : text;
      const mark = sandboxMark(language, bare);
      if (mark !== (isMark(first) ? first : null))
        wrong.push(`${page}: ${mark ?? 'no mark'} before "${bare.split('\n')[0]}"`);
    }
  expect(wrong).toEqual([]);
});

test('a snippet is known by each operation that only a sandbox has, and not by what production has too', () => {
  const marks = [
    'tpay simulate "$LOAD"',
    'curl "$BASE_URL/v1/sandbox/simulate/load.settled"',
    'await client.sandbox.simulate("load.settled", { object_id })',
    'npm run cli -- clock advance --seconds 60',
    'curl -s "$BASE_URL/portal/api/requests?limit=5" -H "Authorization: Bearer $TOKEN"',
    'curl -H "Authorization: Bearer $KEY" "$BASE_URL/portal/api/sandbox/magic"',
  ];
  for (const text of marks) expect([text, sandboxMark('sh', text)]).not.toEqual([text, null]);
  const none = [
    'curl -s "$BASE_URL/v1/payments" -H "Authorization: Bearer $TOKEN"',
    'curl -H "Authorization: Bearer $KEY" "$BASE_URL/portal/api/payments"',
    'tpay payments list',
  ];
  for (const text of none) expect([text, sandboxMark('sh', text)]).toEqual([text, null]);
});
