import { gzipSync } from 'node:zlib';

/** A ustar archive with fixed times, owners and order: the same files give the same bytes. */

const block = 512;
const longestName = 100;

const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;

/** A path as its last part, and the folders before it where it is long. @throws where ustar has no room for it */
function nameOf(path) {
  if (Buffer.byteLength(path) <= longestName) return ['', path];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (Buffer.byteLength(path.slice(at + 1)) <= longestName)
      return [path.slice(0, at), path.slice(at + 1)];
  throw new Error(`${path} is too long for an archive`);
}

function header({ path, mode, bytes, isFolder }) {
  const [prefix, name] = nameOf(path);
  const head = Buffer.alloc(block);
  head.write(name, 0);
  head.write(octal(mode, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(bytes.length, 12), 124);
  head.write(octal(0, 12), 136);
  head.write(' '.repeat(8), 148);
  head.write(isFolder ? '5' : '0', 156);
  head.write('ustar\x0000', 257);
  head.write(prefix, 345);
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** @param entries `{ path, mode, bytes }` of each file, and of each folder with a `/` at its end */
export function tarGz(entries) {
  const parts = entries.flatMap((entry) => {
    const isFolder = entry.path.endsWith('/');
    const padding = Buffer.alloc((block - (entry.bytes.length % block)) % block);
    return [header({ ...entry, isFolder }), entry.bytes, padding];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 });
}
