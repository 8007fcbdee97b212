import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import jsQR from 'jsqr';
import { expect, test } from 'vitest';
import { withImage } from './server/till.ts';

const server = fileURLToPath(new URL('./server', import.meta.url));
const linesOf = (name: string) =>
  readFileSync(`${server}/${name}`, 'utf8').split('\n').slice(0, -1);

/** CommonJS whose types say that it has a default export: it is the function itself. */
const readCode = jsQR as unknown as typeof jsQR.default;
const scale = 4;

/** The pixels a camera sees, `scale` by `scale` for each module; strokes are one module wide. */
function pixelsOf(image: string) {
  const svg = decodeURIComponent(image.replace('data:image/svg+xml,', ''));
  const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  const [x, y] = [0, 1];
  const pen = [0, 0];
  const strokes = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  for (const [, command, first = '', second] of strokes.matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    const by = Number(first);
    if (command === 'M') pen.splice(0, 2, by, Math.floor(Number(second)));
    const [left = 0, top = 0] = pen.map((at) => at * scale);
    for (let row = top; command === 'h' && row < top + scale; row += 1)
      pixels.fill(0, (row * width + left) * 4, (row * width + left + by * scale) * 4);
    if (command !== 'M') pen.splice(x, y, (pen[x] ?? 0) + by);
  }
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return { pixels, width };
}

test.each([40, 200, 440])('a QR code of %i characters is read back unchanged', async (length) => {
  const qr_payload = `tps1.${'aZ09_-'.repeat(length).slice(0, length - 5)}`;
  const request = { id: 'pr_1', status: 'open', expires_at: null, qr_payload } as const;
  const { pixels, width } = pixelsOf((await withImage(request)).image);
  expect(readCode(pixels, width, width)?.data).toBe(qr_payload);
});

test('the shop’s server is under 350 lines, and its webhook handler under 60', () => {
  const lines = readdirSync(server).flatMap(linesOf);
  const isCode = (line: string) => !/^\s*($|\/\*\*|\*|\/\/|import )/.test(line);
  expect(lines.filter(isCode).length).toBeLessThan(350);
  expect(linesOf('webhooks.ts').length).toBeLessThan(60);
});

test('the shop’s server imports the SDK, an HTTP server and a QR code library, and nothing else', () => {
  const known = /^(\.{1,2}\/\w+\.ts|@tenant-payments\/sdk-server|fastify|qrcode)$/;
  const imported = readdirSync(server)
    .flatMap(linesOf)
    .flatMap((line) => / from '(.+)';$/.exec(line)?.[1] ?? []);
  expect(imported.filter((name) => !known.test(name))).toEqual([]);
});

test('the shop’s styles set no typeface and no tone beside those of all surfaces', () => {
  const styles = fileURLToPath(new URL('./page/styles', import.meta.url));
  const own = readdirSync(styles).filter((name) => name !== 'tokens.css');
  const text = own.map((name) => readFileSync(`${styles}/${name}`, 'utf8')).join('');
  const set = [...text.matchAll(/font-family: (.+);/g)].map(([, family]) => family);
  expect(new Set(set)).toEqual(new Set(['var(--font)', 'var(--mono)']));
  const tones = [...text.matchAll(/^ {2,}--([a-z-]+):/gm)].map(([, name]) => name);
  expect(new Set(tones)).toEqual(new Set(['brand', 'brand-tint', 'accent-soft', 'chosen']));
});
