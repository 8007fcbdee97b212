import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { walkAll, walks } from '../test/e2e/states/states.ts';
import type { Walker } from '../test/e2e/states/walker.ts';
import { useServer } from '../test/kit/database/database.ts';
import { setup } from '../test/kit/database/global_setup.ts';
import { launchBrowser } from '../test/kit/pages/browser/browser.ts';
import { startTestWeb } from '../test/kit/pages/browser/web.ts';
import { shootGuide } from './shots_guide.ts';

/**
 * `npm run shots [folder]`: every state of the hosted pages and of the portal, in both schemes, on two
 * screens; and the pictures in docs/guide, sharp, light and dark, which are checked in. With `--guide` these alone.
 */

const isGuideAlone = process.argv.includes('--guide');
const pictures = resolve('docs/guide/pictures');
const folder = resolve(process.argv.slice(2).find((one) => !one.startsWith('-')) ?? 'shots');
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };
const schemes = ['light', 'dark'] as const;
const looks = schemes.flatMap((colorScheme) =>
  Object.entries(screens).map(([screen, size]) => ({
    colorScheme,
    size,
    name: `${colorScheme}-${screen}`,
  })),
);
const all = walks.flatMap(({ steps }) => steps).length;
const taken: string[] = [];

async function take(state: string, { page }: Walker): Promise<void> {
  for (const { colorScheme, size, name } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: join(folder, `${state}.${name}.png`), fullPage: true });
  }
  await page.setViewportSize(screens.phone);
  taken.push(state);
  process.stdout.write(`\r${taken.length} of ${all} states`);
}

const row = (state: string) =>
  `<h2>${state}</h2>\n<p>${looks
    .map(({ name }) => `<img loading="lazy" src="${state}.${name}.png" alt="${state}, ${name}">`)
    .join('\n')}</p>`;
const framed = (title: string, body: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:1rem system-ui;margin:2rem}p{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}
img{height:24rem;border:1px solid #888}</style>
<h1>${title}</h1>
${body}
</html>
`;
const index = () => framed('Every state of the hosted pages', taken.map(row).join('\n'));

async function shoot(): Promise<void> {
  const [web, browser] = await Promise.all([startTestWeb(), launchBrowser()]);
  try {
    await walkAll({ browser, web, locale: 'en' }, take);
  } finally {
    await writeFile(join(folder, 'index.html'), index());
    await browser.close();
    await web.stop();
  }
}

/** @returns the exit code */
async function playTests(tests: string, asked: Record<string, string>): Promise<number | null> {
  await mkdir(pictures, { recursive: true });
  const env = { ...process.env, ...asked, TOUR_PICTURES: pictures };
  return spawnSync('npx', ['vitest', 'run', tests], { env, stdio: 'inherit' }).status;
}

/** The portal's own tests take its pictures, with the traffic that they make. */
async function shootPortal(): Promise<void> {
  const portal = join(folder, 'portal');
  await mkdir(portal, { recursive: true });
  const status = await playTests('test/e2e/portal', { PAGE_SHOTS: portal, ALL_STATES: '1' });
  const names = (await readdir(portal)).filter((name) => name.endsWith('.png')).sort();
  const images = names.map((name) => `<img loading="lazy" src="${name}" alt="${name}">`);
  await writeFile(
    join(portal, 'index.html'),
    framed('Every state of the portal', `<p>${images.join('\n')}</p>`),
  );
  if (status !== 0) throw new Error('a test of the portal failed, so that pictures are missing');
}

async function shootAll(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const given: Record<string, string> = {};
  const stopServer = await setup({
    provide: (name, value) => {
      given[name] = String(value);
    },
  });
  try {
    useServer({ adminUrl: given.adminUrl ?? '', testPrefix: given.testPrefix ?? '' });
    await shoot();
  } finally {
    await stopServer();
  }
  await shootPortal();
  console.log(`\n${folder}/index.html\n${folder}/portal/index.html`);
}

await shootGuide(pictures);
if (!isGuideAlone) await shootAll();
else if ((await playTests('test/e2e/portal/tour.test.ts', {})) !== 0)
  throw new Error('the tour failed, so that pictures are missing');
