import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = 'docs/asvs.md';
const text = readFileSync(page, 'utf8');

/** How many requirements of levels 1 and 2 each section has; they are numbered from 1 on. */
const sections: Readonly<Record<string, number>> = JSON.parse(
  readFileSync('test/docs/asvs_sections.json', 'utf8'),
);
const expected = Object.entries(sections).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
);

const row = /^- (V[\d.]+) ([^:]+): (?:\*\*(.*?)\*\*, )?(.+)$/gm;
const rows = [...text.matchAll(row)].map(([, id = '', what = '', state = 'met', how = '']) => ({
  id,
  what,
  state,
  how,
}));
const states = ['met', 'not applicable', 'not met'];

test('each of the 253 requirements stands exactly once, in its order', () => {
  expect(expected).toHaveLength(253);
  expect(rows.map(({ id }) => id)).toEqual(expected);
});

test('each requirement is met, not applicable or not met, and says what it asks and why', () => {
  expect(rows.filter(({ state }) => !states.includes(state))).toEqual([]);
  expect(rows.filter(({ what, how }) => what.length < 5 || how.length < 5)).toEqual([]);
});

/** The tests and rules that a text links to. */
function evidenceOf(how: string): string[] {
  const links = [...how.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  return links.flatMap(([, name = '', target = '']) => {
    const path = /^\.\.\/(.+\.test\.ts)$/.exec(target)?.[1];
    if (path === name && existsSync(path)) return [path];
    const [, rules, number] = /^rules\/([a-z-]+)#(\d+)$/.exec(name) ?? [];
    if (target !== `rules/${rules}.md` || !existsSync(`docs/${target}`)) return [];
    const isThere = new RegExp(`^${number}\\. `, 'm').test(readFileSync(`docs/${target}`, 'utf8'));
    return isThere ? [name] : [];
  });
}

test('what is met names a test or a rule that exists', () => {
  const without = rows.filter(({ state, how }) => state === 'met' && evidenceOf(how).length === 0);
  expect(without).toEqual([]);
});

test.each([page, 'docs/security.md'])(
  'every test, page and heading that %s links to is there',
  (from) => {
    const anchorsOf = (path: string) =>
      [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
    const links = [...readFileSync(from, 'utf8').matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)];
    expect(links.length).toBeGreaterThan(50);
    for (const [link, path = '', anchor] of links) {
      const file = path === '' ? from : `docs/${path}`;
      expect(existsSync(file), link).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(file), link).toContain(anchor);
    }
  },
);

test('the totals at the top of the page are those of its lists', () => {
  const printed = [...text.matchAll(/^\| (met|not applicable|not met|all) +\| +(\d+) \|$/gm)];
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  expect(printed.map(([, state, total]) => [state, Number(total)])).toEqual([
    ...states.map((state) => [state, count(state)]),
    ['all', rows.length],
  ]);
});
