import { expect, test } from 'vitest';
import { readPasted } from './pasted.ts';

const codeOf = (content: object) =>
  `tps1.${Buffer.from(JSON.stringify(content)).toString('base64url')}.${'S'.repeat(86)}`;
const dynamic = codeOf({ v: 1, id: 'a', t: 'dynamic', mer: 'é?>~' });

test.each([
  ['as copied', dynamic],
  ['with a line break of a mail and blanks around', ` ${dynamic.replace(/.{40}/, '$&\n ')}\n`],
  ['between the words of a chat', `here it is: ${dynamic} see you`],
  ['behind a link', `https://pay.example/#${dynamic}`],
])('a code is read %s', (_, text) => {
  expect(readPasted(text)).toEqual({ code: dynamic, isStatic: false, fault: null });
});

test('a code without an amount is told apart', () => {
  expect(readPasted(codeOf({ t: 'static' })).isStatic).toBe(true);
});

test.each([
  ['nothing', '', null],
  ['a word', 'hello', 'noPaymentCode'],
  ['half a code', dynamic.slice(0, 30), 'cutCode'],
  ['a cut signature', dynamic.slice(0, -1), 'cutCode'],
])('%s is no code, and the page says why', (_, text, fault) => {
  expect(readPasted(text)).toEqual({ code: null, isStatic: false, fault });
});
