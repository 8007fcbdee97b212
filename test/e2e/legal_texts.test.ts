import { afterEach, expect, test } from 'vitest';
import { newVersion } from '../kit/legal_texts.ts';
import { code } from '../kit/pages/applicant.ts';
import { type Visit, visit } from '../kit/pages/browser/browser.ts';
import { browser, useWeb, web } from '../kit/pages/browser/web.ts';
import { publishNotice } from './new_terms.ts';
import { newWalker, optionsOf, sees, tokenFor } from './states/walker.ts';

/** A document's text on a hosted page (rules/documents#16, rules/documents#19). */
useWeb();
let visitor: Visit | undefined;
afterEach(async () => {
  await visitor?.end();
  visitor = undefined;
});

const hostile = `## Heading <script>window.hacked = 1</script>

<img src=x onerror="window.hacked = 1"> and <b>bold</b>

- **strong** and *soft*
- [ours](https://example.com/terms), [theirs](javascript:window.hacked=1), ![a picture](https://example.com/x.png)

| one | two |
| --- | --- |
| 1 | <i>2</i> |`;

async function shownIn(locale: 'en' | 'es', text: string, version: string) {
  const { customerId } = await web.api.banked('individual');
  await web.api.post('/portal/api/review/documents/privacy_notice/publish', {
    ...newVersion(version),
    text: { en: text, es: `Español.\n\n${text}` },
  });
  visitor = await visit(browser, optionsOf(locale));
  const { page } = visitor;
  const { open } = newWalker(page, web, locale);
  await open(await tokenFor(web, 'terms_acceptance', customerId));
  await page.locator('summary').click();
  await page.locator('.document-text h2').waitFor();
  return page;
}

test('Markdown becomes elements, and HTML in it stays text', async () => {
  const page = await shownIn('en', hostile, '2027-01');
  const document = page.locator('.document-text');
  expect(await page.locator('summary').textContent()).toContain('Terms of 2027-01');
  expect(await document.locator('h2').textContent()).toBe(
    'Heading <script>window.hacked = 1</script>',
  );
  expect(await document.textContent()).toContain('<img src=x onerror="window.hacked = 1">');
  expect(await document.locator('script, img, b, i, [onerror]').count()).toBe(0);
  expect(await document.locator('li strong').textContent()).toBe('strong');
  expect(await document.locator('th, td').allTextContents()).toEqual([
    'one',
    'two',
    '1',
    '<i>2</i>',
  ]);
  const links = document.locator('a');
  expect(await links.count()).toBe(1);
  expect(await links.getAttribute('href')).toBe('https://example.com/terms');
  expect(await page.evaluate('window.hacked')).toBeUndefined();
});

test("the text is shown in the customer's language", async () => {
  const page = await shownIn('es', '## Uno', '2027-02');
  expect(await page.locator('summary').textContent()).toContain('Condiciones de 2027-02');
  expect(await page.locator('.document-text').textContent()).toContain('Español.');
});

test('terms that changed while they were read are shown anew, and the new ones are accepted', async () => {
  const page = await shownIn('en', '## Early', '2027-03');
  const { press, texts } = newWalker(page, web, 'en');
  await publishNotice(web);
  await press(texts.terms.accept);
  await sees(page, texts.refusals.documents_changed ?? '');
  await page.locator('summary').click();
  await page.getByRole('heading', { name: 'Terms', exact: true }).waitFor();
  expect(await page.getByText('Early').count()).toBe(0);
  await press(texts.terms.accept);
  await sees(page, texts.terms.acceptedTitle);
});

test('where a business has only owners to name, changed texts need a new consent', async () => {
  const { id } = await web.api.customer('business');
  await web.api.simulate('customer.pending', id);
  visitor = await visit(browser, optionsOf('en'));
  const { page } = visitor;
  const { texts, open, press, fill, choose } = newWalker(page, web, 'en');
  await open(await tokenFor(web, 'onboarding', id));
  await press(texts.common.next);
  await press(texts.codes.send);
  await fill({ code });
  await press(texts.codes.check);
  await choose('accepts');
  await publishNotice(web);
  await press(texts.common.next);
  await sees(page, texts.refusals.documents_changed ?? '');
  await press(texts.common.next);
  await sees(page, texts.documents.mustAccept);
  await choose('accepts');
  await press(texts.common.next);
  await sees(page, texts.onboarding.doneTitle);
});
