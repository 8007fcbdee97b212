import { logoLimits } from '@tenant-payments/contract/core/logos.ts';

/** Sides to try, in pixels, until the file is small enough. */
const sides = [logoLimits.side, 384, 256, 192, 128];

/** A picture that this browser cannot draw. */
export class NoPicture extends Error {}

const read = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new NoPicture());
    reader.readAsDataURL(file);
  });

async function draw(image: HTMLImageElement, side: number, isVector: boolean): Promise<Blob> {
  const [wide = side, high = side] = [image.naturalWidth || side, image.naturalHeight || side];
  const fit = side / Math.max(wide, high);
  const scale = isVector ? fit : Math.min(fit, 1);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(wide * scale));
  canvas.height = Math.max(1, Math.round(high * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((made) => (made ? resolve(made) : reject(new NoPicture())), 'image/png'),
  );
}

/**
 * Draws any picture that the browser knows as a PNG file of the size that the service takes. An SVG is
 * drawn as an image, which runs no script and loads nothing.
 * @returns base64. @throws NoPicture
 */
export async function pngOf(file: File): Promise<string> {
  const image = new Image();
  image.src = await read(file);
  await image.decode().catch(() => {
    throw new NoPicture();
  });
  for (const side of sides) {
    const made = await draw(image, side, file.type === 'image/svg+xml');
    if (made.size <= logoLimits.sentBytes) return (await read(made)).replace(/^[^,]*,/, '');
  }
  throw new NoPicture();
}
