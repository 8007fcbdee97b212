import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentContentType } from '@tenant-payments/contract/core/identity_documents.ts';
import { reencoded } from './reencode.ts';

/** Runs beside the service, which goes on meanwhile, and ends with its one image. */
const { file, type } = workerData as {
  readonly file: Uint8Array;
  readonly type: Exclude<DocumentContentType, 'application/pdf'>;
};
parentPort?.postMessage(reencoded(Buffer.from(file), type));
