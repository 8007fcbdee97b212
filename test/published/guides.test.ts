import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { expect, test } from 'vitest';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const pagesIn = (folder: string) =>
  readdirSync(join(docs, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const guides = [...pagesIn('guide')];
const textOf = (page: string) => readFileSync(join(docs, page), 'utf8');

/** Paths that no catalog holds: no operations of ours. */
const otherPaths = ['/portal/api/openapi.json', '/v1/traces'];

const served = [endpoints, portalEndpoints]
  .flatMap((catalog) => Object.values<{ path: string }>(catalog))
  .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));

test.each(guides)('every path that %s names is served', (page) => {
  const named = textOf(page).match(/\/(v1|portal\/api)\/[\w/$.{}…-]+/g) ?? [];
  const unknown = named
    .map((path) => path.replace(/[./]$/, ''))
    .filter((path) => !served.some((known) => known.test(path)) && !otherPaths.includes(path));
  expect(unknown).toEqual([]);
});

test('every guide that starts the service without npm gives Node the options of npm start', () => {
  const { scripts } = JSON.parse(readFileSync(join(docs, '../package.json'), 'utf8'));
  const [, options] = / node (--.*) dist\/main\.js/.exec(scripts.start) ?? [];
  // In a shell over two lines, in a container as a list.
  const shown = guides.flatMap((page) =>
    [...textOf(page).matchAll(/node"?,? "?--[^`]*?dist\/main\.js/g)].map(([command]) =>
      command
        .replaceAll(/[",\\]/g, '')
        .split(/\s+/)
        .slice(1, -1)
        .join(' '),
    ),
  );
  expect(shown.length).toBeGreaterThan(2);
  expect(shown).toEqual(shown.map(() => options));
});

test.each(guides)('every page that %s points to is there', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#]+)/g)].map(([, link]) => String(link));
  const lost = links
    .filter((link) => !link.startsWith('https://'))
    .filter((link) => !existsSync(join(docs, page, '..', link)));
  expect(lost).toEqual([]);
});
