import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail, unavailable } from '../../core/fail.ts';
import type { DownloadKind, DownloadLinks } from './download_links.ts';

/** A file that is written while it is sent. */
export interface Download {
  readonly contentType: string;
  /** Of plain letters: it stands in a header. */
  readonly fileName: string;
  /**
   * Begins it. A stream that fails breaks the transfer off, so that half a file is never taken for
   * a whole one.
   * @throws ApiError 503 where too many are under way
   */
  open(): Promise<Readable>;
}

/** The file of a tenant's record; null where there is none. */
export type FindDownload = (tenantId: string, record: string) => Promise<Download | null>;

/**
 * Bounds how many files are sent at a time: a slow reader keeps what its file takes.
 * @returns what begins one. @throws ApiError 503 where all are taken
 */
export function openSlots(maximum: number) {
  let taken = 0;
  const release = () => {
    taken -= 1;
  };
  return async (begin: () => Promise<Readable>): Promise<Readable> => {
    if (taken >= maximum) throw unavailable('too many files are being sent');
    taken += 1;
    try {
      // Also for a reader who has gone before the first byte.
      return (await begin()).once('close', release);
    } catch (error) {
      release();
      throw error;
    }
  };
}

const goneCodes = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Whoever stops reading does so by right: it is no fault of the file. */
export const isReaderGone = ({ code = '' }: NodeJS.ErrnoException): boolean => goneCodes.has(code);

/** A file is somebody's to keep and nobody's to run. */
const headersOf = ({ contentType, fileName }: Download) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename="${fileName}"`,
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
});

/**
 * GET and HEAD /downloads/{token}, for whoever has the address: it is the credential. One that is
 * forged, expired or of nothing is not_found, without a word on which.
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
