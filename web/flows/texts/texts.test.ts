import { ownerLifecycle, ownerRoles } from '@tenant-payments/contract/resources/owners.ts';
import { expect, test } from 'vitest';
import { texts as en } from './en.ts';
import { texts as es } from './es.ts';
import { leavesOf } from './leaves.ts';

/** Every text by its key; of a function what it writes of `1`. */
const flat = (table: object) =>
  leavesOf(table).map(
    ([key, leaf]) => [key, typeof leaf === 'string' ? leaf : leaf('1', '1')] as const,
  );

test('both languages say everything, and nothing is empty', () => {
  expect(flat(es).map(([at]) => at)).toEqual(flat(en).map(([at]) => at));
  for (const [at, words] of [...flat(en), ...flat(es)])
    expect([at, words.trim().length > 0]).toEqual([at, true]);
});

/** Words that both languages spell alike, or that name a thing. */
const alike = ['confirm.rows.total', 'confirm.theirBank'];

test('nothing was left untranslated', () => {
  const spanish = new Map(flat(es));
  const same = flat(en).filter(([at, words]) => spanish.get(at) === words && words.length > 3);
  expect(same.map(([at]) => at)).toEqual(alike);
});

/** Said elsewhere, and not in the United States. */
const foreign = /(?<!\p{L})(móvil|añad|cifra|retirada|ordenador|importe|caduc|vosotros)/iu;
const foreignEnglish = /\b(whilst|cheque|trading name|postcode|chief executive)\b/i;

test('both are the languages of the United States', () => {
  expect(flat(es).filter(([, words]) => foreign.test(words))).toEqual([]);
  expect(flat(en).filter(([, words]) => foreignEnglish.test(words))).toEqual([]);
});

test('every role and status of an owner has its words', () => {
  for (const role of ownerRoles) expect(en.business.roles[role]).toBeTruthy();
  for (const status of ownerLifecycle.states) expect(en.business.statuses[status]).toBeTruthy();
});
