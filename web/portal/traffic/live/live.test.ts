import { expect, test } from 'vitest';
import { changed, merged, unlisted } from './merge.ts';
import { messageReader } from './messages.ts';

const text =
  'id: 5\n\n:\n\nid: 6.events.a\nevent: events\ndata: {"id":"a: b"}\n\nid: 7.x\nevent: requests\ndata: {"id":"c"}\n\n';

test('messages are read whole, however the text is cut', () => {
  const whole = messageReader()(text);
  expect(whole).toEqual([
    { id: '5', type: null, row: null },
    { id: '6.events.a', type: 'events', row: { id: 'a: b' } },
    { id: '7.x', type: 'requests', row: { id: 'c' } },
  ]);
  for (let size = 1; size < 20; size += 1) {
    const take = messageReader();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...take(text.slice(at, at + size)));
    expect(found).toEqual(whole);
  }
});

interface Row {
  readonly id: string;
  readonly n: number;
}
type Page = { readonly data: Row[]; readonly next_cursor: string | null };
const page = (...ids: string[]): Page => ({
  data: ids.map((id) => ({ id, n: 0 })),
  next_cursor: null,
});
const list = (...pages: Page[]) => ({ pages, pageParams: [] as unknown[] });
const idsIn = ({ pages }: ReturnType<typeof list>) =>
  pages.map(({ data }) => data.map(({ id }) => id));

test('new rows stand above the others, each once', () => {
  const before = list(page('c', 'b'), page('a'));
  const after = merged(before, [
    { id: 'e', n: 1 },
    { id: 'd', n: 1 },
    { id: 'd', n: 1 },
    { id: 'b', n: 1 },
  ]);
  expect(idsIn(after)).toEqual([['e', 'd', 'c', 'b'], ['a']]);
  expect(merged(before, [{ id: 'a', n: 1 }])).toBe(before);
});

test('a row that is listed by now, or was told twice, does not wait to be shown', () => {
  const [c, d] = [
    { id: 'c', n: 0 },
    { id: 'd', n: 0 },
  ];
  expect(unlisted(list(page('c', 'b')), [d, c, d])).toEqual([d]);
  expect(unlisted(undefined, [c])).toEqual([c]);
});

test('what has changed since is changed in its row alone', () => {
  const before = list(page('c', 'b'), page('a'));
  const after = changed(before, [{ id: 'b', apply: (item) => ({ ...item, n: item.n + 1 }) }]);
  expect(after.pages[0]?.data.map(({ n }) => n)).toEqual([0, 1]);
  expect(after.pages[1]).toBe(before.pages[1]);
});
