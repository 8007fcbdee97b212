/** The way in which a camera was held: Exif's 1 to 8 (CIPA DC-008, tag 0x0112); 1 where a JPEG file does not say. */
export function orientationOf(file: Buffer): number {
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0;
    const length = file.readUInt16BE(at + 2);
    const segment = file.subarray(at + 4, at + 2 + length);
    if (marker === 0xe1 && segment.toString('latin1', 0, 6) === 'Exif\0\0')
      return ofTags(segment.subarray(6));
    // Pixels follow.
    if (marker === 0xda || length < 2) return 1;
    at += 2 + length;
  }
  return 1;
}

const tag = 0x0112;

/** @param tiff what stands behind `Exif` */
function ofTags(tiff: Buffer): number {
  if (tiff.length < 8) return 1;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (place: number) =>
    place + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(place) : tiff.readUInt16BE(place);
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = Math.min(short(start), 100);
  for (let index = 0; index < count; index += 1) {
    const entry = start + 2 + index * 12;
    if (short(entry) !== tag) continue;
    const value = short(entry + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
