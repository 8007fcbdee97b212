import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail, unavailable } from '../../core/fail.ts';
import type { DownloadKind, DownloadLinks } from './download_links.ts';

/** A file that is written while it is sent. */
export interface Download {
  readonly contentType: string;
  /** ASCII letters only: it is sent in a header. */
  readonly fileName: string;
  /**
   * Begins the file. A stream that fails breaks the transfer off, so that an incomplete file is
   * never taken for a complete one.
   * @throws ApiError 503 when too many are under way
   */
  open(): Promise<Readable>;
}

/** Finds the file of a tenant's record; null when there is none. */
export type FindDownload = (tenantId: string, record: string) => Promise<Download | null>;

/**
 * Limits the files that are sent at a time: a slow reader keeps the resources of its file. Unlike
 * p-limit nothing waits: one too many is refused.
 * @returns a function that begins a file. @throws ApiError 503 when all slots are taken
 */
export function openSlots(maximum: number) {
  let taken = 0;
  const release = () => {
    taken -= 1;
  };
  return async (begin: () => Promise<Readable>): Promise<Readable> => {
    if (taken >= maximum) throw unavailable('too many files are being sent; try again in a moment');
    taken += 1;
    try {
      // Also when the reader disconnects before the first byte.
      return (await begin()).once('close', release);
    } catch (error) {
      release();
      throw error;
    }
  };
}

const goneCodes = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE']);

/** A reader may disconnect at any time: that is no fault of the file. */
export const isReaderGone = ({ code = '' }: NodeJS.ErrnoException): boolean => goneCodes.has(code);

/** A file is saved and never run by the browser. */
const headersOf = ({ contentType, fileName }: Download) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename="${fileName}"`,
  'content-security-policy': "default-src 'none'; sandbox",
});

/**
 * GET and HEAD /downloads/{token}. The address is the credential. A forged one, an expired one and
 * one without a file give the same not_found.
 */
export function serveDownloads(
  app: FastifyInstance,
  links: DownloadLinks,
  files: Readonly<Record<DownloadKind, FindDownload>>,
): void {
  async function find({ params }: FastifyRequest): Promise<Download> {
    const target = links.read((params as { token: string }).token);
    const found = target && (await files[target.kind](target.tenantId, target.record));
    if (!found) throw fail('not_found', { message: 'no such file, or its address has expired' });
    return found;
  }
  const url = '/downloads/:token';
  app.get(url, { exposeHeadRoute: false }, async (request, reply: FastifyReply) => {
    const download = await find(request);
    const body = await download.open();
    return reply.headers(headersOf(download)).send(body);
  });
  app.head(url, async (request, reply: FastifyReply) =>
    reply.headers(headersOf(await find(request))).send(),
  );
}
