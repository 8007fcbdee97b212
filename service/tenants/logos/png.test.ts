import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PngError, type PngFault, rewrittenPng } from './png.ts';

const side = 512;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Uint8Array = Buffer.alloc(0), sum?: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(sum ?? crc32(Buffer.concat([head.subarray(4), data])), 0);
  return Buffer.concat([head, data, tail]);
}

function header(width: number, height: number, rest = [8, 6, 0, 0, 0]): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set(rest, 8);
  return chunk('IHDR', data);
}

const file = (...chunks: Buffer[]) => Buffer.concat([signature, ...chunks, chunk('IEND')]);
/** Two rows of two pixels with alpha. */
const rows = Buffer.from('00ff000080ff000080' + '0200ff00800000ff80', 'hex');
const pixels = chunk('IDAT', deflateSync(rows));
const plain = file(header(2, 2), pixels);
const inRows = (data: Buffer) => file(header(2, 2), chunk('IDAT', deflateSync(data)));

test('a picture keeps its pixels, and loses all else', () => {
  const [first, second] = [deflateSync(rows).subarray(0, 4), deflateSync(rows).subarray(4)];
  const crowded = file(
    header(2, 2),
    chunk('tEXt', Buffer.from('Author\0Ana Reyes')),
    chunk('eXIf', Buffer.from('II*\0 where it was taken')),
    chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(1_000_000))])),
    chunk('acTL', Buffer.alloc(8)),
    chunk('IDAT', first),
    chunk('IDAT', second),
  );
  const polyglot = Buffer.concat([crowded, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')]);
  const made = rewrittenPng(polyglot, side);
  expect([made.width, made.height]).toEqual([2, 2]);
  expect(made.file).toEqual(rewrittenPng(plain, side).file);
  expect(made.file.toString('latin1')).not.toMatch(/Ana|taken|script|PK|iCCP|acTL/);
});

test('a picture with a palette keeps its colors and what of them is clear', () => {
  const colors = chunk('PLTE', Buffer.from('1b5e45ffffff', 'hex'));
  const clear = chunk('tRNS', Buffer.from('00', 'hex'));
  const of = (...parts: Buffer[]) =>
    file(header(8, 1, [1, 3, 0, 0, 0]), ...parts, chunk('IDAT', deflateSync(Buffer.of(0, 0xaa))));
  const made = rewrittenPng(of(colors, clear), side).file;
  expect(made.includes(colors) && made.includes(clear)).toBe(true);
  for (const wrong of [of(), of(colors, colors), of(chunk('PLTE', Buffer.alloc(4)))])
    expect(() => rewrittenPng(wrong, side)).toThrow('damaged');
});

const attacks: readonly (readonly [string, Buffer, PngFault])[] = [
  ['an SVG with a script', Buffer.from('<svg onload="alert(1)"/>'), 'not_png'],
  ['a JPEG', Buffer.from('ffd8ffe000104a46494600', 'hex'), 'not_png'],
  ['a GIF with a PNG behind it', Buffer.concat([Buffer.from('GIF89a'), plain]), 'not_png'],
  ['nothing', Buffer.alloc(0), 'not_png'],
  ['a signature alone', signature, 'damaged'],
  ['a file that breaks off', plain.subarray(0, -20), 'damaged'],
  ['a file without its end', plain.subarray(0, -12), 'damaged'],
  ['a wide picture', file(header(513, 1), pixels), 'dimensions'],
  ['a picture of billions of pixels', file(header(0xffffffff, 0xffffffff), pixels), 'dimensions'],
  ['a picture without pixels', file(header(0, 2), pixels), 'dimensions'],
  ['rows that unpack beyond the size', inRows(Buffer.alloc(50_000_000)), 'damaged'],
  ['rows that end too soon', inRows(rows.subarray(0, -1)), 'damaged'],
  ['a filter that does not exist', inRows(Buffer.from(rows).fill(9, 0, 1)), 'damaged'],
  ['rows that are not packed', file(header(2, 2), chunk('IDAT', rows)), 'damaged'],
  ['no rows', file(header(2, 2)), 'damaged'],
  ['a chunk with a wrong sum', file(header(2, 2), chunk('IDAT', deflateSync(rows), 1)), 'damaged'],
  ['a chunk before the header', file(chunk('tEXt'), header(2, 2), pixels), 'damaged'],
  ['a depth that does not exist', file(header(2, 2, [3, 6, 0, 0, 0]), pixels), 'damaged'],
  ['an interlaced picture', file(header(2, 2, [8, 6, 0, 0, 1]), pixels), 'interlaced'],
];

test.each(attacks)('%s is refused', (_, sent, fault) => {
  expect(() => rewrittenPng(sent, side)).toThrow(new PngError(fault));
});
