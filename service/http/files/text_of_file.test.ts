import { expect, test } from 'vitest';
import { textOfFile } from './text_of_file.ts';

const text = 'date,reference\r\n2026-03-02,Café José €5 – naïve';
const utf16be = (value: string) => Buffer.from(value, 'utf16le').swap16();

test('a file is read by its mark, else as UTF-8, else as Windows-1252', () => {
  const windows = Buffer.from(text.replace('€', '\x80').replace('–', '\x96'), 'latin1');
  const files: [string, Buffer][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16BE', utf16be(`\ufeff${text}`)],
    ['Windows-1252', windows],
  ];
  for (const [name, file] of files) expect([name, textOfFile(file)]).toEqual([name, text]);
  expect(textOfFile(Buffer.from('plain'))).toBe('plain');
  expect(textOfFile(Buffer.alloc(0))).toBe('');
});

test('what is no text in any of them is refused and never guessed', () => {
  const files: [string, Buffer][] = [
    ['UTF-16 without its mark', Buffer.from('ab', 'utf16le')],
    ['UTF-8 with its mark and a broken letter', Buffer.from([0xef, 0xbb, 0xbf, 0xc3])],
    ['UTF-16 with half a letter', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
    ['a byte that Windows-1252 leaves free', Buffer.from([0x61, 0x81])],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00])],
  ];
  for (const [name, file] of files) expect([name, textOfFile(file)]).toEqual([name, null]);
});
