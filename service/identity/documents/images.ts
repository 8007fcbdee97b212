import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DocumentContentType } from '@tenant-payments/contract/core/identity_documents.ts';
import pLimit from 'p-limit';

/** Each takes a core and some hundred megabytes for a second or two. */
const atOnce = pLimit(1);
/** Whoever comes then is asked to come again. */
const mostWaiting = 20;
const longestMs = 30_000;
const mostMegabytes = 1_536;

/** Beside the built program; from source it is TypeScript. */
const built = new URL('./reencode.cjs', import.meta.url);
const source = new URL('./worker.ts', import.meta.url);

/** A thread has no loader of TypeScript by itself. */
const fromSource = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(${JSON.stringify(source.href)});
})`;

function open(workerData: object): Worker {
  const options = { workerData, resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } };
  return existsSync(fileURLToPath(built))
    ? new Worker(built, options)
    : new Worker(fromSource, { ...options, eval: true });
}

const ran = (file: Buffer, type: DocumentContentType): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const worker = open({ file, type });
    const timer = setTimeout(() => void worker.terminate(), longestMs);
    worker.once('message', (image: Uint8Array) => resolve(Buffer.from(image)));
    // An error says nothing of the image, and no text of it is kept.
    worker.once('error', () => resolve(null));
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });

/** Images are busy: too many wait. */
export const imagesAreBusy = (): boolean => atOnce.pendingCount >= mostWaiting;

/** An image written anew in a thread of its own; null: it is none that can be read. */
export const reencodedApart = (file: Buffer, type: DocumentContentType): Promise<Buffer | null> =>
  atOnce(() => ran(file, type));
