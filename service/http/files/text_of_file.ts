/** The letters of Windows-1252 where Latin-1 has control characters. */
const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** The bytes that are a letter in neither. */
const noLetter = /[\x81\x8d\x8f\x90\x9d]/;

/** The mark at the beginning of a file, and what it says. */
const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function fromWindows1252(bytes: Buffer): string | null {
  const signs = bytes.toString('latin1');
  if (noLetter.test(signs)) return null;
  return signs.replaceAll(/[\x80-\x9f]/g, (sign) => windows1252.charAt(sign.charCodeAt(0) - 0x80));
}

/**
 * The text of a file of any program: by its mark (BOM) UTF-8 or UTF-16, else UTF-8 if it is, else Windows-1252.
 * @returns null where it is none of these
 */
export function textOfFile(bytes: Buffer): string | null {
  const mark = marks.find((one) => one.bytes.every((byte, at) => bytes[at] === byte));
  if (mark) return decoded(bytes, mark.encoding);
  const text = decoded(bytes, 'utf-8') ?? fromWindows1252(bytes);
  // UTF-16 without a mark, or no text at all.
  return text?.includes('\0') ? null : text;
}
