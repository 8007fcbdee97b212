import type { Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { ended, endings, pay } from '../kit/pages/browser/tenant_site.ts';
import { hostedPathOf, page, useVisitors, useWeb, visitor, web } from '../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import type { Person } from '../kit/person.ts';
import { axeViolations } from './axe.ts';

/** Pages whose scripts and styles do not come (rules/hosted#51). */
useWeb();
useVisitors();
let ana: Person;
beforeAll(async () => {
  ana = await web.api.banked('individual');
  await openHostedPages(web.server).givePins();
  web.serve(() => web.newLoad(ana));
});

const script = '**/hosted/assets/flows-*.js';
const notFound = (route: Route) => route.fulfill({ status: 404, json: {} });
const broken = 'This page did not load completely';
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const openLoad = async () => {
  const { token } = await web.newLoad(ana);
  await page.goto(`${web.hosted}${hostedPathOf(web.server.tenant)}#${token}`);
};

test('a page whose script is not found once loads again by itself, and its token still opens it', async () => {
  await page.route(script, notFound, { times: 1 });
  await openLoad();
  await heading('Add money').waitFor();
});

test('so does a page in the frame of a Tenant, and the SDK reaches it', async () => {
  await page.goto(web.site.origin);
  await page.route(script, notFound, { times: 1 });
  await pay(page, { mode: 'modal' });
  const modal = page.frameLocator('iframe');
  await modal.getByLabel('PIN', { exact: true }).fill(pin);
  await modal.getByRole('button', { name: 'Add $25.00' }).click();
  await modal.getByRole('button', { name: 'Done' }).click();
  expect(endings(await ended(page))).toMatchObject([{ kind: 'success' }]);
});

test('a page whose script is not found twice says so, and Try again opens it once it is there', async () => {
  await page.route(script, notFound, { times: 2 });
  await openLoad();
  await heading(broken).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading('Add money').waitFor();
});

test('without a network the page says so at once, in the language of its reader', async () => {
  await page.addInitScript(`Object.defineProperties(Navigator.prototype, {
    onLine: { get: () => false }, languages: { get: () => ['es-MX'] } })`);
  await page.route(script, (route) => route.abort('internetdisconnected'));
  await openLoad();
  await heading('La página no se cargó por completo').waitFor();
  visitor.forgive(/ERR_INTERNET_DISCONNECTED/);
});

test('a style that is not found is asked for once more', async () => {
  await page.route('**/hosted/assets/flows-*.css', notFound, { times: 1 });
  await openLoad();
  await heading('Add money').waitFor();
  const look = await page.evaluate(`getComputedStyle(document.querySelector('.card')).display`);
  expect(look).toBe('flex');
});

describe.each(['sign_in', 'portal', 'console'])('%s', (name) => {
  const path = name === 'sign_in' ? '/portal/sign-in' : `/${name}`;
  test('says so where its script does not come', async () => {
    await page.route(`**/hosted/assets/${name}-*.js`, notFound);
    await page.goto(web.hosted + path);
    await heading(broken).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});
