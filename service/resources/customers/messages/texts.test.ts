import { expect, test } from 'vitest';
import { messageKinds, wordMessage } from './texts.ts';

const facts = {
  tenant: 'Corner Shop',
  when: '2026-11-21T14:30:00.000Z',
  until: '2026-11-24T14:30:00.000Z',
  amount: 1_234_56,
  bank: 'First Bank 6789',
  email: 'a•••@example.com',
  last4: '0901',
  terms: 'Less.',
  condiciones: 'Less.',
};
/** How each fact is read in a text. */
const shown = {
  en: ['November 21, 2026', 'November 24, 2026'],
  es: ['21 de noviembre de 2026', '24 de noviembre de 2026'],
};
const same = ['Corner Shop', '$1,234.56', 'First Bank 6789', 'a•••@example.com', '0901'];

test.each(messageKinds)('%s says the same in English and Spanish', (kind) => {
  const { en, es } = wordMessage(kind, facts);
  const found = (body: string, times: readonly string[]) =>
    [...times, ...same].map((text) => body.includes(text));
  expect(found(en.body, shown.en)).toEqual(found(es.body, shown.es));
  for (const { subject, body } of [en, es]) {
    expect(`${subject} ${body}`).not.toMatch(/[{}]|undefined| {2}/);
    expect(body).toContain('Corner Shop');
  }
});
