import jsQR from 'jsqr';
import { expect, test } from 'vitest';
import { codeOf } from './shop.ts';

/** CommonJS whose types say that it has a default export: it is the function itself. */
const readCode = jsQR as unknown as typeof jsQR.default;

/** As a camera sees it: so many pixels a module, and the quiet zone that ISO/IEC 18004 wants. */
const scale = 4;
const quiet = 4;

function seen({ size, path }: ReturnType<typeof codeOf>) {
  const width = (size + 2 * quiet) * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g))
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < Number(run) * scale; column += 1) {
        const top = (Number(y) + quiet) * scale + row;
        const left = (Number(x) + quiet) * scale + column;
        pixels.fill(0, (top * width + left) * 4, (top * width + left) * 4 + 3);
      }
  return { pixels, width };
}

test.each([40, 200, 440])('a code of %i characters reads as what was written', (length) => {
  const payload = `tps1.${'aZ09_-'.repeat(length).slice(0, length - 5)}`;
  const { pixels, width } = seen(codeOf(payload));
  expect(readCode(pixels, width, width)?.data).toBe(payload);
});
