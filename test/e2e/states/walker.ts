import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Texts } from '../../../web/flows/texts/en.ts';
import { textsIn } from '../../../web/flows/texts/texts_in.ts';
import type { Locale } from '../../../web/ui/texts/locale.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { type Hands, handsOf } from '../../kit/pages/browser/hands.ts';
import { hostedPathOf, type TestWeb } from '../../kit/pages/browser/web.ts';

/** Goes through a flow in a browser, in a language. */
export interface Walker extends Hands {
  readonly web: TestWeb;
  readonly texts: Texts;
  /** Opens a hosted page without the SDK; the token is in the fragment. */
  open(token: string, path?: string): Promise<void>;
}

/** A state, how it is reached from the one before, and what is then to be read on the page. */
export type Step = readonly [
  state: string,
  reach: (walker: Walker) => Promise<unknown>,
  sees: (texts: Texts) => string,
];

/** States that are reached one after another, each in the page of the one before. */
export interface Walk {
  readonly name: string;
  readonly steps: readonly Step[];
}

export const hostedPath = ({ server }: TestWeb): string => hostedPathOf(server.tenant);

export function newWalker(page: Page, web: TestWeb, locale: Locale): Walker {
  return {
    ...handsOf(page),
    web,
    texts: textsIn[locale],
    async open(token, path = '') {
      // Another fragment at the same address would be a reload of the page that is there.
      await page.goto('about:blank');
      await page.goto(`${web.hosted}${hostedPath(web)}${path}#${token}`);
    },
  };
}

/** Presses a button of this text. */
export const pressed =
  (button: (texts: Texts) => string): Step[1] =>
  ({ press, texts }) =>
    press(button(texts));

/** Fills in fields and presses a button, or Continue. */
export const filled =
  (values: Record<string, string>, button = (texts: Texts) => texts.common.next): Step[1] =>
  async (walker) => {
    await walker.fill(values);
    await pressed(button)(walker);
  };

/** Waits until the page says it. */
export const sees = (page: Page, words: string) =>
  page.locator('#app, dialog').getByText(words).first().waitFor();

/** The window of every walk. */
export const optionsOf = (locale: Locale): BrowserContextOptions => ({
  locale: locale === 'en' ? 'en-US' : 'es-US',
  viewport: { width: 390, height: 844 },
  reducedMotion: 'reduce',
});

/** @throws with the step's name when it is not reached */
export async function walk(
  walker: Walker,
  { name, steps }: Walk,
  look: (state: string) => Promise<void>,
): Promise<void> {
  for (const [state, reach, says] of steps) {
    const at = `${name}.${state}`;
    try {
      await reach(walker);
      await sees(walker.page, says(walker.texts));
    } catch (error) {
      const shown = await walker.page.locator('body').textContent();
      throw new Error(`${at} was not reached; the page says:\n${shown}`, { cause: error });
    }
    await look(at);
  }
}

/** Refuses the page's requests in place of the service. */
export async function refuse(
  page: Page,
  path: string,
  how: 'offline' | { status: number; code?: string; retryAfter?: number },
): Promise<void> {
  await page.route(`**/hosted/api${path}`, (route) =>
    how === 'offline'
      ? route.abort('internetdisconnected')
      : route.fulfill({
          status: how.status,
          ...(how.retryAfter ? { headers: { 'retry-after': String(how.retryAfter) } } : {}),
          json: { error: { code: how.code ?? 'internal_error', request_id: 'req_5CVDcTZ1' } },
        }),
  );
}

/** Changes what the service answers. */
export async function amend(
  page: Page,
  path: string,
  change: (body: ReplyBody) => void,
): Promise<void> {
  await page.route(`**/hosted/api${path}`, async (route) => {
    const reply = await route.fetch();
    const body: ReplyBody = await reply.json();
    if (reply.ok()) change(body);
    await route.fulfill({ response: reply, json: body });
  });
}

/** Leaves where the Tenant has no return address: the page itself says what happened. */
export async function leaveForNowhere({ page, press, texts }: Walker): Promise<void> {
  await amend(page, '/leave', (view) => {
    view.return_url = null;
  });
  await press(texts.staying.leave);
}

/** A token for a flow of a customer's own. */
export async function tokenFor(web: TestWeb, flow: string, customerId: string): Promise<string> {
  const body = { flow, customer_id: customerId, return_url: `${web.site.origin}/done` };
  const session = await web.api.post('/v1/sessions', body);
  if (!session.token) throw new Error(`no session: ${JSON.stringify(session)}`);
  return session.token;
}
