import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Visit, visit } from '../kit/pages/browser/browser.ts';
import { browser, hostedPathOf, useWeb, web } from '../kit/pages/browser/web.ts';

/** Other scripts in a customer's browser, which reach for a page of ours. */
useWeb();
let visitor: Visit;
let page: Page;
let hostedPage: string;
beforeAll(async () => {
  hostedPage = `${web.hosted}${hostedPathOf(web.server.tenant)}`;
  visitor = await visit(browser);
  page = visitor.page;
});
afterAll(() => visitor.end());

/** Calls the page in `frame` as the SDK does, and notes which call it answers. */
const callsOf = (frame: string) => `
window.answered = [];
window.call = (name) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => answered.push(name);
  ${frame}.postMessage({ tps: 1, type: 'connect' }, '*', [port2]);
};`;

test('a page answers its parent once, and no other frame of the same site', async () => {
  await page.goto(web.site.origin);
  await page.evaluate(`
    const [other, hosted] = [0, 1].map(() => document.createElement('iframe'));
    hosted.src = '${hostedPage}';
    document.body.append(other, hosted);
    ${callsOf('frames[1]')}`);
  const other = page.frames().find((frame) => frame.url() === 'about:blank');
  if (!other) throw new Error('there is no other frame');
  await other.evaluate(callsOf('parent.frames[1]'));
  // The other frame is always a little earlier, from before the page has begun to listen.
  const turn = async () => {
    await other.evaluate("call('stranger')");
    return page.evaluate("call('first'), answered");
  };
  await expect.poll(turn).toEqual(['first']);
  await other.evaluate("call('stranger')");
  await page.evaluate("call('second')");
  await page.waitForTimeout(300);
  expect(await page.evaluate('answered')).toEqual(['first']);
  expect(await other.evaluate('answered')).toEqual([]);
});

test('no script of a page makes itself a policy of trusted types', async () => {
  await page.goto(hostedPage);
  for (const name of ['mine', 'default'])
    await expect(page.evaluate(`trustedTypes.createPolicy('${name}', {})`)).rejects.toThrow(
      /Content Security Policy|disallowed/,
    );
  await expect(page.evaluate("document.body.innerHTML = '<p>'")).rejects.toThrow(/TrustedHTML/);
  visitor.forgive(/Content Security Policy|trusted/i);
});
