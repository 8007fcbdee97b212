import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * A read from a socket is memory outside of V8's heap, and V8 takes no notice of it before some 50 MB
 * have gathered: measured, a file raised the service by as much. Collecting the young generation
 * frees what has been sent, and costs no processor time that could be measured.
 */
const everyBytes = 1_000_000;

type Collect = (options: { readonly type: 'minor' }) => void;
let collect: Collect | null = null;

/** Made when the first file is read: V8 shows its collector on demand alone. */
function openCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const made: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return made;
}

/** Passes bytes on, and sees to it that those which have gone leave the memory. */
export async function* withoutGarbage(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  collect ??= openCollector();
  let passed = 0;
  for await (const bytes of source) {
    passed += bytes.length;
    yield bytes;
    if (passed < everyBytes) continue;
    passed = 0;
    collect({ type: 'minor' });
  }
}
