import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Locale } from '../../../web/ui/texts/locale.ts';
import { patienceMs } from '../../kit/pages/browser/browser.ts';
import type { TestWeb } from '../../kit/pages/browser/web.ts';
import { codeWalks, lateCodeWalks } from './states_codes.ts';
import { confirmWalks } from './states_confirm.ts';
import { flowWalks } from './states_flows.ts';
import { onboardingWalks } from './states_onboarding.ts';
import { paperWalks } from './states_papers.ts';
import { passkeyWalks } from './states_passkeys.ts';
import { problemWalks } from './states_problems.ts';
import { newWalker, optionsOf, type Walk, type Walker, walk } from './walker.ts';

/**
 * Every state of every hosted page: `<walk>.<state>`, how it is reached, and what is then to be read.
 * Most are reached as a customer reaches them; where the service cannot bring a state about, its
 * answer is changed. Those that move the tenant's clock come last.
 */
export const walks: readonly Walk[] = [
  ...confirmWalks,
  ...passkeyWalks,
  ...onboardingWalks,
  ...paperWalks,
  ...flowWalks,
  ...codeWalks,
  ...problemWalks,
  ...lateCodeWalks,
];

/**
 * Walks through all of them, each in a window of its own.
 * @param look is called at each state
 * @throws at the end, with every state that was not reached
 */
export async function walkAll(
  parts: {
    browser: Browser;
    web: TestWeb;
    locale: Locale;
    options?: BrowserContextOptions;
    /** Absent: by mouse. */
    asWalker?: (walker: Walker) => Walker;
  },
  look: (state: string, walker: Walker) => Promise<void>,
  chosen: readonly Walk[] = walks,
): Promise<void> {
  const { browser, web, locale, options, asWalker = (walker: Walker) => walker } = parts;
  const faults: string[] = [];
  for (const each of chosen) {
    const context = await browser.newContext({ ...optionsOf(locale), ...options });
    context.setDefaultTimeout(patienceMs);
    try {
      const walker = asWalker(newWalker(await context.newPage(), web, locale));
      await walk(walker, each, (state) => look(state, walker));
    } catch (error) {
      faults.push(`${each.name}: ${error}\n${error instanceof Error ? error.cause : ''}`);
    } finally {
      await context.close();
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n\n'));
}
