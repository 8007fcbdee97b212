import { AxeBuilder } from '@axe-core/playwright';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Some of axe's rules, by their names or by their tags. */
export interface Chosen {
  readonly type: 'rule' | 'tag';
  readonly values: string[];
}

/** The rules of axe that colors can break; all others say the same in the light and in the dark. */
export const colorRules: Chosen = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block'],
};

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/** A page with frames: axe opens a second page to join what each frame found. */
async function violationsInFrames(page: Page, options: axe.RunOptions): Promise<Violations> {
  const { violations } = await new AxeBuilder({ page }).options(options).analyze();
  return violations;
}

/**
 * Finds the faults of a page by axe. It is asked for faults alone: rules that pass take most of its
 * time.
 * @param runOnly absent: all rules
 */
export async function axeViolations(page: Page, runOnly?: Chosen): Promise<Violations> {
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) };
  if (page.frames().length > 1) return violationsInFrames(page, options);
  // Half a megabyte: brought to each document once.
  const isThere = await page.evaluate<boolean>('typeof axe === "object"');
  if (!isThere) await page.evaluate(axe.source);
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  return page.evaluate<Violations>(run);
}
