import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Locale, locales } from '../../../web/ui/texts/locale.ts';
import { printed } from '../../journeys/page.ts';
import { visit } from '../../kit/pages/browser/browser.ts';
import { chosenOf } from '../chosen.ts';
import { openShop, samplePin, wide } from './shop.ts';
import { type Effort, openPerson, type Person } from './tasks.ts';
import { newPin, type TaskName, tasks } from './ten_tasks.ts';

/** Ten tasks on one sandbox, in the chosen language; what each takes is the page docs/usability.md. */

const { facts, shopUrl, browser, client } = await openShop();
const taken: Readonly<Record<TaskName, Effort>>[] = [];

/** The acts of bank, reviewer, shop and Tenant meanwhile; none of them is the customer's work. */
function stageOf(page: Page, { shop, phone, till }: Person) {
  const inspector = page.getByRole('region', { name: shop.column.inspector, exact: true });
  const play = async (name: string) => {
    await inspector.getByRole('tab', { name: shop.inspector.pages.play }).click();
    await inspector.getByRole('button', { name, exact: true }).first().click();
  };
  const order = async () => {
    await till.getByRole('tab', { name: shop.till.pages.sell }).click();
    await till.getByRole('button', { name: /\$4\.20/ }).click();
    await till.getByRole('button', { name: shop.till.charge('$4.20') }).click();
    await till.getByRole('img', { name: '$4.20' }).waitFor();
  };
  const paid = () => till.getByText(shop.till.net).waitFor();
  const home = async () => {
    const back = phone.getByRole('button', { name: shop.phone.backToWallet }).first();
    if (await back.isVisible()) await back.click();
  };
  return { play, order, paid, home };
}

/** The tasks of Ana at the shop, in an order in which each has what it needs. */
async function atShop(page: Page, locale: Locale, firstPin: string) {
  const done: Partial<Record<TaskName, Effort>> = {};
  const ana = openPerson(page, locale, true);
  const { shop, phone } = ana;
  const { play, order, paid, home } = stageOf(page, ana);
  const run = async (name: TaskName, pin: string) => {
    const person = openPerson(page, locale, true);
    await tasks[name].run(person, pin);
    done[name] = person.effort;
  };
  await page.goto(shopUrl);
  await phone.getByText('Ana', { exact: true }).click();
  await order();
  await run('buy', firstPin);
  await paid();
  await run('dispute', firstPin);
  await home();
  await run('add', firstPin);
  await play(shop.inspector.acts.settle ?? '');
  await order();
  await run('reset', firstPin);
  await paid();
  await run('refund', newPin);
  await run('number', newPin);
  await home();
  await play(shop.inspector.publish);
  await run('terms', newPin);
  await run('bank', newPin);
  await play(shop.inspector.acts.verify ?? '');
  return done;
}

/** A newcomer's hosted page, as an app opens it: in the window itself. */
async function opensAccount(page: Page, locale: Locale, name: 'person' | 'business') {
  const { at, run } = tasks[name];
  const area = locale === 'en' ? '212' : '305';
  const { onboarding_session } = await client.customers.create({
    type: at,
    external_ref: `tasks-${randomUUID()}`,
    email: `${name}@example.com`,
    mobile_number: `+1${area}555${name === 'person' ? '0141' : '0142'}`,
  });
  const person = openPerson(page, locale, false);
  await page.goto('about:blank');
  await page.goto(`${facts.base_url}/hosted#${onboarding_session?.token}`);
  await run(person);
  return person.effort;
}

/** Ana's PIN is another one once the tasks were done in a language. */
const languages = chosenOf(locales, 'ten tasks').map(
  (locale, index) => [locale, index === 0 ? samplePin : newPin] as const,
);

test.each(languages)('each of the ten tasks is done to its end in %s', async (locale, pin) => {
  const { page, end } = await visit(browser, { ...wide, locale: `${locale}-US` });
  const done = await atShop(page, locale, pin);
  const person = await opensAccount(page, locale, 'person');
  const business = await opensAccount(page, locale, 'business');
  taken.push({ ...done, person, business } as Record<TaskName, Effort>);
  await end();
});

const inOrder = 'buy add reset refund dispute person business number terms bank'.split(
  ' ',
) as TaskName[];
const rowOf = (name: TaskName, { presses, fields }: Effort) => [
  tasks[name].title,
  String(presses),
  String(fields),
];

const page = (efforts: Readonly<Record<TaskName, Effort>>) => `# What tasks take

Ten tasks of customers and shops, done in a browser by a test, in English and in Spanish, without a mistake
but the five wrong PINs. Both languages take the same. **Presses** are buttons, links, choices and boxes.
**Fields** are what is typed in or chosen from a list; a date is three. What the till, the bank and a reviewer
do meanwhile is not counted.

${printed([['task', '>presses', '>fields'], inOrder.map((name) => rowOf(name, efforts[name]))]).join('\n')}
The test \`test/e2e/shop/ten_tasks.test.ts\` fails when a number is no longer true, so none grows unseen.
Where a change is meant, \`npx vitest run test/e2e/shop/ten_tasks.test.ts -u\` writes this page anew.
`;

test('a language takes what the page of tasks says, and no more', async () => {
  expect(taken).toHaveLength(languages.length);
  for (const efforts of taken)
    await expect(page(efforts)).toMatchFileSnapshot('../../../docs/usability.md');
});
