import { newVersion } from '../kit/legal_texts.ts';
import type { TestWeb } from '../kit/pages/browser/web.ts';
import type { Step } from './states/walker.ts';

/** Each is later than the one before. */
let year = 2030;

/** A privacy notice comes into force, and its customers are asked to accept it. @returns its title */
export async function publishNotice({ api }: TestWeb) {
  year += 1;
  const version = newVersion(`${year}-01`);
  await api.post('/portal/api/review/documents/privacy_notice/publish', version);
  return version.title;
}

/** What was read has changed before it is sent; the page shows the new texts. */
export const changedBefore =
  (send: Step[1]): Step[1] =>
  async (walker) => {
    const { en, es } = await publishNotice(walker.web);
    await send(walker);
    const { page } = walker;
    await page.locator('summary', { hasText: new RegExp(`${en}|${es}`) }).waitFor();
  };
