import { expect, test } from 'vitest';
import { renderMessage } from '../../../rails/mail/render.ts';
import { messageLocales } from '../../../rails/messages.ts';
import { messageKinds, wordMessage } from './texts.ts';

const facts = {
  tenant: 'Corner Shop',
  when: '2026-11-21T14:30:00.000Z',
  until: '2026-11-24T14:30:00.000Z',
  amount: 1_234_56,
  bank: 'First Bank 6789',
  email: 'a•••@example.com',
  last4: '0901',
  code: '604927',
  link: 'https://pay.example/hosted/1/owner#ol_1',
  business: 'Harbor Books',
  owner: 'Olga Reyes',
  terms: 'Less.',
  condiciones: 'Less.',
};
/** How each fact is read in a text. */
const shown = {
  en: ['November 21, 2026', 'November 24, 2026'],
  es: ['21 de noviembre de 2026', '24 de noviembre de 2026'],
};
const { tenant, bank, email, last4, code, link, business, owner } = facts;
const same = [tenant, '$1,234.56', bank, email, last4, code, link, business, owner];
const brand = { name: tenant, logoUrl: null, color: '#1f5eff' };

test.each(messageKinds)('%s says the same in English and Spanish, in every form', (kind) => {
  const contents = wordMessage(kind, facts);
  const found = messageLocales.map((locale) => {
    const { subject, text, html, short } = renderMessage(contents, { locale, brand });
    for (const form of [subject, text, short]) expect(form).not.toMatch(/[{}]|undefined|\S {2}\S/);
    for (const form of [text, short]) expect(form).toContain(tenant);
    expect(short.length).toBeLessThan(480);
    const words = (form: string) => [...shown[locale], ...same].map((fact) => form.includes(fact));
    expect(words(html)).toEqual(words(text));
    return words(text);
  });
  expect(found[0]).toEqual(found[1]);
});

test('where the language is not known both are in one message', () => {
  const { subject, text, html } = renderMessage(wordMessage('pin_changed', facts), {
    locale: null,
    brand,
  });
  expect(subject).toBe('Your PIN was changed / Su PIN se cambió');
  expect(text.indexOf('was changed on')).toBeLessThan(text.indexOf('se cambió el'));
  expect(html).toMatch(/<div lang="en">.*<div lang="es">/s);
});

test('what a message names is no mark-up, in none of its forms', () => {
  const evil = '<b>[Free](https://evil.example) {code}</b>\n\n# Big';
  const { html, text } = renderMessage(wordMessage('owner_link', { ...facts, business: evil }), {
    locale: 'en',
    brand: { ...brand, name: '"><script>alert(1)</script>' },
  });
  expect(html).not.toMatch(/<script|<b>|href="https:\/\/evil/);
  expect(html).not.toContain(code);
  expect(text).toContain('[Free](https://evil.example) {code}');
});
