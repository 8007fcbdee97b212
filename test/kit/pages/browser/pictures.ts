import { writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

/** The schemes of a picture of the guide. */
export const schemes = ['light', 'dark'] as const;
const quality = 0.86;

/** A function of the browser: it packs a tenth of what PNG takes, and needs no program of ours. */
const packInBrowser = `async ([png, quality]) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}`;

/** The same picture as WebP; in a window of its own, since a page of ours may fetch nothing. */
async function packed(page: Page, png: Buffer): Promise<Buffer> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the window has no browser');
  const desk = await browser.newPage();
  try {
    const packing = `(${packInBrowser})(${JSON.stringify([png.toString('base64'), quality])})`;
    return Buffer.from(String(await desk.evaluate(packing)), 'base64');
  } finally {
    await desk.close();
  }
}

/** Two points of the picture for each of the page. */
async function sharpen(page: Page): Promise<void> {
  const size = page.viewportSize();
  if (size === null) throw new Error('the window has no size');
  const session = await page.context().newCDPSession(page);
  const metrics = { ...size, deviceScaleFactor: 2, mobile: false };
  await session.send('Emulation.setDeviceMetricsOverride', metrics);
}

/** Takes a sharp picture of what a reader sees, in light and in dark: `<path>.light.webp`, `<path>.dark.webp`. */
export async function takePicture(page: Page, path: string, what?: Locator): Promise<void> {
  await sharpen(page);
  await page.mouse.move(0, 0);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
    const png = await (what ?? page).screenshot({ animations: 'disabled' });
    await writeFile(`${path}.${colorScheme}.webp`, await packed(page, png));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
