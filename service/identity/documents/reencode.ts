import {
  type DocumentContentType,
  documentLimits,
} from '@tenant-payments/contract/core/identity_documents.ts';
import { decode, encode } from 'jpeg-js';
import { rewrittenPng } from '../../tenants/logos/png.ts';
import { orientationOf } from './orientation.ts';

/** Decoding takes some bytes a pixel for each of three colors. */
const mostMegapixels = 40;
const mostMegabytes = 1_024;
const quality = 82;
/** A text on a document stays readable. */
const longestSide = 2_600;

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

type Place = (x: number, y: number, right: number, down: number) => readonly [number, number];

/** By Exif's orientation: where the pixel of a place stands once the image is upright. */
const places: Readonly<Record<number, Place>> = {
  2: (_x, y, right) => [right, y],
  3: (_x, _y, right, down) => [right, down],
  4: (x, _y, _right, down) => [x, down],
  5: (x, y) => [y, x],
  6: (x, _y, _right, down) => [down, x],
  7: (_x, _y, right, down) => [down, right],
  8: (_x, y, right) => [y, right],
};

/** An image upright. */
function turned({ width, height, data }: Pixels, orientation: number): Pixels {
  const place = places[orientation];
  if (!place) return { width, height, data };
  const isOnSide = orientation >= 5;
  const [w, h] = isOnSide ? [height, width] : [width, height];
  const out = new Uint8Array(w * h * 4);
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const to = new Uint32Array(out.buffer);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [tx, ty] = place(x, y, width - 1 - x, height - 1 - y);
      to[ty * w + tx] = from[y * width + x] ?? 0;
    }
  return { width: w, height: h, data: out };
}

/** Smaller by a whole number, each pixel the mean of those in its place. */
function smaller({ width, height, data }: Pixels): Pixels {
  const by = Math.ceil(Math.max(width, height) / longestSide);
  if (by === 1) return { width, height, data };
  const [w, h] = [Math.floor(width / by), Math.floor(height / by)];
  const out = new Uint8Array(w * h * 4);
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1)
      for (let color = 0; color < 4; color += 1) {
        let sum = 0;
        for (let row = 0; row < by; row += 1)
          for (let column = 0; column < by; column += 1)
            sum += data[((y * by + row) * width + x * by + column) * 4 + color] ?? 0;
        out[(y * w + x) * 4 + color] = sum / (by * by);
      }
  return { width: w, height: h, data: out };
}

function reencodedJpeg(file: Buffer): Buffer {
  const pixels = decode(file, {
    useTArray: true,
    formatAsRGBA: true,
    tolerantDecoding: false,
    maxResolutionInMP: mostMegapixels,
    maxMemoryUsageInMB: mostMegabytes,
  });
  const { width, height, data } = turned(smaller(pixels), orientationOf(file));
  return Buffer.from(encode({ width, height, data: Buffer.from(data.buffer) }, quality).data);
}

/**
 * An image written anew from its pixels: what else a file carries, such as the place of a photo or a program, is gone
 * (rules/identity#14). @throws what it cannot read
 */
export const reencoded = (file: Buffer, type: Exclude<DocumentContentType, 'application/pdf'>) =>
  type === 'image/jpeg' ? reencodedJpeg(file) : rewrittenPng(file, documentLimits.side).file;
