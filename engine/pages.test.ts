import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ApiError } from './fail.ts';
import { openPages } from './pages.ts';
import { openVault } from './vault.ts';

const newVault = () => openVault([{ id: 'a', key: randomBytes(32) }], randomBytes(32));
const vault = newVault();
const tenant = randomUUID();
const path = '/v1/accounts/acct_a/transactions';
const query = { type: 'load', from: '2026-11-20T00:00:00Z', limit: 2 };
const rows = [1, 2, 3].map((day) => ({
  created_at: `2026-11-2${3 - day}T00:00:00.000Z`,
  id: randomUUID(),
}));

const pages = (more: { tenant?: string; path?: string; query?: object } = {}) =>
  openPages(vault, more.tenant ?? tenant, more.path ?? path, more.query ?? query);

const firstPage = () => pages().page(rows, 2, ({ id }) => id);
const cursorOf = () => firstPage().next_cursor ?? '';

function refusalOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.param];
    throw error;
  }
  return null;
}

it('continues after the last row of a page', () => {
  const page = firstPage();
  expect(page).toMatchObject({ object: 'list', has_more: true });
  expect(page.data).toEqual(rows.slice(0, 2).map(({ id }) => id));
  expect(pages().after(cursorOf())).toEqual(rows[1]);
});

it('ends with the last page', () => {
  const page = pages().page(rows.slice(0, 2), 2, ({ id }) => id);
  expect([page.has_more, page.next_cursor, page.data.length]).toEqual([false, null, 2]);
  expect(pages().page([], 2, () => null)).toMatchObject({ data: [], has_more: false });
});

it('starts with the first row without a cursor', () => {
  expect(pages().after(undefined)).toBeNull();
});

it('accepts a cursor with another limit', () => {
  const cursor = cursorOf();
  expect(pages({ query: { ...query, limit: 100, cursor } }).after(cursor)).toEqual(rows[1]);
});

it.each([
  ['another tenant', { tenant: randomUUID() }],
  ['another list', { path: '/v1/accounts/acct_b/transactions' }],
  ['another filter', { query: { ...query, type: 'withdrawal' } }],
  ['fewer filters', { query: { type: 'load' } }],
])('refuses a cursor of %s', (_, more) => {
  expect(refusalOf(() => pages(more).after(cursorOf()))).toEqual(['parameter_invalid', 'cursor']);
});

it('refuses a forged cursor', () => {
  const text = Buffer.from(cursorOf(), 'base64url').toString();
  const moved = Buffer.from(text.replace('2026-11-21', '2026-11-20')).toString('base64url');
  for (const cursor of [moved, 'x', '%', 'A'.repeat(512), cursorOf().slice(0, -8)])
    expect(refusalOf(() => pages().after(cursor))).toEqual(['parameter_invalid', 'cursor']);
});

it('shows the position in a cursor, but refuses a made-up cursor', () => {
  expect(openPages(newVault(), tenant, path, query)).toBeDefined();
  const foreign = openPages(newVault(), tenant, path, query);
  expect(refusalOf(() => foreign.after(cursorOf()))).toEqual(['parameter_invalid', 'cursor']);
});
