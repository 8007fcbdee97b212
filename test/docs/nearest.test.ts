import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nearestPages, wordsOfAddress } from '../../site/.vitepress/theme/nearest.ts';

/** The proposals of the page that an address without a page shows (rules/docs-site#16). */

const root = fileURLToPath(new URL('../..', import.meta.url));
const listIn = (file: string, folder: string) =>
  [
    ...readFileSync(`${root}docs/${file}`, 'utf8').matchAll(
      /^(?:- |\| *)\[([^\]]+)\]\((\S+)\.md\)/gm,
    ),
  ].map(([, text = '', path = '']) => ({
    text,
    link: new URL(path, `http://site/${folder}`).pathname,
  }));
const pages = [
  ...listIn('README.md', ''),
  ...listIn('rules/README.md', 'rules/'),
  ...listIn('reference/errors.md', 'reference/'),
];

test.each([
  ['/docs/guide/refunds', '/guide/flows/refunds'],
  ['/docs/quick-start', '/guide/quickstart'],
  ['/docs/guide/webhook', '/guide/webhooks'],
  ['/docs/guide/webhooks/verifying.html', '/guide/webhooks-verify'],
  ['/docs/settlement/reconcilliation', '/guide/reconciliation'],
  ['/docs/reference/error/limit-exceeded', '/reference/errors/limit_exceeded'],
  ['/docs/sandbox/faults.md?a=b#c', '/guide/sandbox-faults'],
  ['/docs/rules/refund', '/rules/refunds'],
])('%s proposes %s first', (asked, first) => {
  expect(nearestPages(asked, pages)[0]?.link).toBe(first);
});

test('at most five pages are proposed, each once, and none for words that no page has', () => {
  const found = nearestPages('/docs/payments', pages);
  expect(found.length).toBeGreaterThan(1);
  expect(found.length).toBeLessThanOrEqual(5);
  expect(new Set(found.map(({ link }) => link)).size).toBe(found.length);
  for (const asked of ['/docs/zzzz', '/docs/', '/docs/%E0%A4%A', '/docs/guide/index.html'])
    expect([asked, nearestPages(asked, pages)]).toEqual([asked, []]);
});

test('the words of an address are searched for without folders that every page has', () => {
  expect(wordsOfAddress('/docs/guide/Pay%20by-bank.html?x=1')).toEqual(['pay', 'by', 'bank']);
});
