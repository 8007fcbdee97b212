import { newVersion } from '../kit/legal_texts.ts';
import type { TestWeb } from '../kit/pages/browser/web.ts';
import type { Step } from './states/walker.ts';

/** The year of the last notice: each is later than the one before. */
let year = 2030;

/** A privacy notice comes into force, and its customers are asked to accept it. @returns its title */
export async function publishNotice({ api }: TestWeb) {
  year += 1;
  const version = newVersion(`${year}-01`);
  await api.post('/portal/api/review/documents/privacy_notice/publish', version);
  return version.title;
}

/** Changes the texts that were read before they are sent; the page then shows the new ones. */
export const changedBefore =
  (send: Step[1]): Step[1] =>
  async (walker) => {
    const { en, es } = await publishNotice(walker.web);
    await send(walker);
    const { page } = walker;
    await page.locator('summary', { hasText: new RegExp(`${en}|${es}`) }).waitFor();
  };
