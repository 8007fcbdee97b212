import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';

/** PNG files (W3C PNG, third edition), as strictly as a picture of somebody else needs it. */

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The whole file. */
  readonly file: Buffer;
}

/** Why a file is refused. */
export type PngFault = 'not_png' | 'dimensions' | 'interlaced' | 'damaged';

export class PngError extends Error {
  readonly fault: PngFault;

  constructor(fault: PngFault) {
    super(fault);
    this.fault = fault;
  }
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and checksum. */
const chunkFrame = 12;
const headerBytes = 13;

/** By color type: samples of a pixel, and the bits that a sample may have. */
const kinds: Readonly<Record<number, { readonly samples: number; readonly depths: number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
const palette = 3;
/** The bytes of a `tRNS` chunk that names one color as transparent. */
const clearBytes: Readonly<Record<number, number>> = { 0: 2, 2: 6 };

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The chunks up to the end that the file itself names; what lies behind it is not read. */
function* chunksOf(file: Buffer): Generator<Chunk> {
  let at = signature.length;
  for (;;) {
    if (at + chunkFrame > file.length) throw new PngError('damaged');
    const length = file.readUInt32BE(at);
    const end = at + chunkFrame + length;
    if (end > file.length) throw new PngError('damaged');
    const content = file.subarray(at + 4, end - 4);
    if (crc32(content) !== file.readUInt32BE(end - 4)) throw new PngError('damaged');
    const type = content.toString('latin1', 0, 4);
    if (type === 'IEND') return;
    yield { type, data: content.subarray(4) };
    at = end;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const made = Buffer.alloc(chunkFrame + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, 'latin1');
  data.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, -4)), made.length - 4);
  return made;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly color: number;
  /** The length of a row without its filter. */
  readonly rowBytes: number;
  readonly data: Buffer;
}

function headerOf({ type, data }: Chunk, side: number): Header {
  if (type !== 'IHDR' || data.length !== headerBytes) throw new PngError('damaged');
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  if (Math.min(width, height) < 1 || Math.max(width, height) > side)
    throw new PngError('dimensions');
  const [depth = 0, color = 0, compression, filter, interlace] = data.subarray(8);
  const kind = kinds[color];
  if (!kind?.depths.includes(depth) || compression !== 0 || filter !== 0)
    throw new PngError('damaged');
  if (interlace !== 0) throw new PngError('interlaced');
  return { width, height, color, rowBytes: Math.ceil((width * kind.samples * depth) / 8), data };
}

/** The rows with their filters. Never more is unpacked than the picture's size allows. */
function rowsOf(packed: readonly Buffer[], { height, rowBytes }: Header): Buffer {
  const length = height * (rowBytes + 1);
  let rows: Buffer;
  try {
    rows = inflateSync(Buffer.concat(packed), { maxOutputLength: length });
  } catch {
    throw new PngError('damaged');
  }
  if (rows.length !== length) throw new PngError('damaged');
  for (let at = 0; at < length; at += rowBytes + 1)
    if ((rows[at] ?? 0) > 4) throw new PngError('damaged');
  return rows;
}

/** The chunks that a pixel needs besides the rows: the palette, and which colors are clear. */
function colorsOf(found: readonly Chunk[], { color }: Header): Buffer[] {
  const only = (type: string) => {
    const all = found.filter((one) => one.type === type);
    if (all.length > 1) throw new PngError('damaged');
    return all[0]?.data;
  };
  const [colors, clear] = [only('PLTE'), only('tRNS')];
  const count = (colors?.length ?? 0) / 3;
  if (color !== palette) {
    const isClear = clear !== undefined && clear.length === clearBytes[color];
    return isClear ? [chunk('tRNS', clear)] : [];
  }
  if (!colors || !Number.isInteger(count) || count < 1 || count > 256)
    throw new PngError('damaged');
  const isClear = clear !== undefined && clear.length > 0 && clear.length <= count;
  return [chunk('PLTE', colors), ...(isClear ? [chunk('tRNS', clear)] : [])];
}

/**
 * Writes a PNG file anew: its pixels stay, and all else is gone (texts, profiles, times, further frames,
 * bytes behind the end).
 * @param side the most pixels of width and height
 * @throws PngError
 */
export function rewrittenPng(file: Buffer, side: number): Picture {
  if (!file.subarray(0, signature.length).equals(signature)) throw new PngError('not_png');
  const [first, ...rest] = chunksOf(file);
  if (!first) throw new PngError('damaged');
  const header = headerOf(first, side);
  const packed = rest.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []));
  const rows = rowsOf(packed, header);
  const parts = [
    signature,
    chunk('IHDR', header.data),
    ...colorsOf(rest, header),
    chunk('IDAT', deflateSync(rows, { level: constants.Z_BEST_COMPRESSION })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  const { width, height } = header;
  return { width, height, file: Buffer.concat(parts) };
}
