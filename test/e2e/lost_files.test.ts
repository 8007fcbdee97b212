import type { Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signInLinkOf } from '../../backoffice/tenants/create.ts';
import { ended, endings, pay } from '../kit/pages/browser/tenant_site.ts';
import {
  giveSession,
  hostedPathOf,
  page,
  useVisitors,
  useWeb,
  visitor,
  web,
} from '../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import { samplePerson } from '../kit/people.ts';
import type { Person } from '../kit/person.ts';
import { axeViolations } from './axe.ts';
import { publishNotice } from './new_terms.ts';

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

/** Counts how often a file is asked for, and loses the first requests. */
async function lose(path: string, times: number): Promise<() => number> {
  let count = 0;
  await page.route(path, (route) => {
    count += 1;
    return count > times ? route.continue() : notFound(route);
  });
  return () => count;
}

test('Try again asks again for the reader of documents, each time, and shows them once it is there', async () => {
  await publishNotice(web);
  const asked = await lose('**/hosted/assets/read_markdown-*.js*', 2);
  const { customerId } = await web.api.banked('individual');
  const { token } = await web.api.post('/v1/sessions', {
    flow: 'terms_acceptance',
    customer_id: customerId,
  });
  await page.goto(`${web.hosted}${hostedPathOf(web.server.tenant)}#${token}`);
  const again = page.getByRole('button', { name: 'Try again' });
  for (const count of [1, 2]) {
    await page.getByText('Something went wrong on our side').waitFor();
    expect(asked()).toBe(count);
    await again.click();
  }
  await page.locator('summary').first().waitFor();
  expect(asked()).toBe(3);
});

test('a page of the portal whose part is not found says so, and Try again shows it', async () => {
  await giveSession(visitor.context, await samplePerson(web.server, web.server.tenant.tenantId));
  await page.goto(`${web.hosted}/portal`);
  const link = page.getByRole('link', { name: 'Requests', exact: true });
  await link.waitFor();
  const asked = await lose('**/hosted/assets/integration-*.js', 2);
  await link.click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading('Requests').waitFor();
  expect(asked()).toBe(3);
  visitor.forgive(/Failed to fetch dynamically imported module/);
});

test('a list that is not live since too many feeds are open says so', async () => {
  await giveSession(visitor.context, await samplePerson(web.server, web.server.tenant.tenantId));
  await page.route('**/portal/api/stream*', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'invalid_state' } } }),
  );
  await page.goto(`${web.hosted}/portal/requests`);
  await page.getByText('not live: too many feeds are open').waitFor();
});

/** A script that lets sites store nothing, as a browser may be set. */
const noStorage = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { configurable: true,
    get() { throw new DOMException('denied', 'SecurityError'); } });`;

describe('where a browser stores nothing', () => {
  test('a link signs in, and the portal and its pages open', async () => {
    await page.addInitScript(noStorage);
    const { service, tenant } = web.server;
    const link = await signInLinkOf(service, tenant.tenantId);
    await page.goto(`${web.hosted}${new URL(link ?? '').pathname}${new URL(link ?? '').hash}`);
    const requests = page.getByRole('link', { name: 'Requests', exact: true });
    await requests.click();
    await heading('Requests').waitFor();
    await page.reload();
    await heading('Requests').waitFor();
  });

  test.each(['/portal', '/console'])(
    '%s leads whoever is not signed in to the sign-in',
    async (path) => {
      await page.addInitScript(noStorage);
      await page.goto(web.hosted + path);
      await page.waitForURL('**/portal/sign-in');
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  );

  test('the documentation opens, and its links', async () => {
    await page.addInitScript(noStorage);
    await page.goto(`${web.hosted}/docs/guide/quickstart`);
    await page.getByRole('link', { name: 'Rules', exact: true }).first().click();
    await heading('Rules').waitFor();
  });
});
