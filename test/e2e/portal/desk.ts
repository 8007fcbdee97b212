import type { Page } from 'playwright-core';

/** Keeps pictures of the page as a desk shows it, for whoever looks at them. */
export async function shootAtDesk(where: Page, name: string): Promise<void> {
  const shots = process.env.PAGE_SHOTS;
  if (!shots) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await where.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await where.setViewportSize({ width: 1440, height: 900 });
    await where.screenshot({ path: `${shots}/${name}.desk.${colorScheme}.png`, fullPage: true });
  }
}
