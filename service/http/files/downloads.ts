import type { Readable } from 'node:stream';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { ApiError, fail, unavailable } from '@tenant-payments/engine/fail.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sentMethod } from '../head.ts';
import type { Access, AccessNotes } from './access.ts';
import type { DownloadKind, DownloadLinks, Target } from './download_links.ts';

/** A file that is written while it is sent. */
export interface Download {
  readonly contentType: string;
  /** ASCII letters only: it is sent in a header. */
  readonly fileName: string;
  /**
   * Begins the file. A stream that fails breaks the transfer off, so that an incomplete file is
   * never taken for a complete one.
   * @throws ApiError 429 or 503 when too many are under way
   */
  open(): Promise<Readable>;
}

/** Whether a handler answers a file in place of JSON. */
export const isDownload = (reply: object): reply is Download =>
  'open' in reply && typeof reply.open === 'function';

/** The languages in which a file is there; one that has only one takes no notice. */
export const fileLanguages = ['en', 'es'] as const;
export type FileLanguage = (typeof fileLanguages)[number];

/** Finds the file of a tenant's record; null when there is none. */
export type FindDownload = (
  tenantId: string,
  record: string,
  language: FileLanguage,
) => Promise<Download | null>;

/** Files of one kind that a process sends at a time (rules/reports#23). */
const ofOneTenant = 2;
const ofAll = 6;
const retryAfterSeconds = 1;

/**
 * Limits the files that are sent at a time: a slow reader keeps the resources of its file, and keeps
 * them from its own Tenant first. Unlike p-limit nothing waits: one too many is refused.
 * @returns a function that begins a file of a Tenant. @throws ApiError 429 when the Tenant's slots are
 *   taken, 503 when all are
 */
export function openSlots() {
  const taken = new Map<string, number>();
  let all = 0;

  function take(tenantId: string, by: 1 | -1): void {
    const now = (taken.get(tenantId) ?? 0) + by;
    all += by;
    if (now === 0) taken.delete(tenantId);
    else taken.set(tenantId, now);
  }

  return async (tenantId: string, begin: () => Promise<Readable>): Promise<Readable> => {
    if ((taken.get(tenantId) ?? 0) >= ofOneTenant)
      throw new ApiError('rate_limited', {
        retryAfter: retryAfterSeconds,
        details: { retry_after: retryAfterSeconds },
      });
    if (all >= ofAll) throw unavailable('too many files are being sent; try again in a moment');
    take(tenantId, 1);
    try {
      // Also when the reader disconnects before the first byte.
      return (await begin()).once('close', () => take(tenantId, -1));
    } catch (error) {
      take(tenantId, -1);
      throw error;
    }
  };
}

const goneCodes = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE']);

/** A reader may disconnect at any time: that is no fault of the file. */
export const isReaderGone = ({ code = '' }: NodeJS.ErrnoException): boolean => goneCodes.has(code);

/** The access of the person to whom the file's address was given (rules/audit#19). */
function accessOf(
  { kind, tenantId, record, reader }: Target,
  { fileName }: Download,
  { ip, id }: FastifyRequest,
): Access | null {
  const by = reader && { ...reader, tenantId, apiKeyId: null, address: ip, requestId: id };
  if (!by) return null;
  if (kind === 'reconciliation') return { ...by, kind: 'report', record: fileName };
  if (kind === 'sample_statement') return null;
  if (kind === 'statement') return { ...by, kind, record: publicId('statement', record) };
  const letter = kind.slice('letter_'.length);
  return { ...by, kind: 'letter', record: `${publicId('dispute', record)}/${letter}` };
}

/** A file is saved and never run by the browser. */
export const headersOf = ({ contentType, fileName }: Download) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename="${fileName}"`,
  'content-security-policy': "default-src 'none'; sandbox",
});

/** @throws ApiError parameter_invalid, param language */
function languageIn({ language = 'en' }: { readonly language?: unknown }): FileLanguage {
  const found = fileLanguages.find((one) => one === language);
  if (!found)
    throw fail('parameter_invalid', {
      param: 'language',
      details: { reason: 'enum', allowed: fileLanguages },
      message: `language must be one of ${fileLanguages.join(', ')}`,
    });
  return found;
}

/**
 * GET and HEAD /downloads/{token}, of a statement and a letter also with `?language=es` (rules/reports#30,
 * rules/disputes#67). The address is the credential. A forged one, an expired one and
 * one without a file give the same not_found.
 */
export function serveDownloads(
  app: FastifyInstance,
  links: DownloadLinks,
  files: Readonly<Record<DownloadKind, FindDownload>>,
  note: AccessNotes,
): void {
  async function find({ params, query }: FastifyRequest) {
    const target = links.read((params as { token: string }).token);
    const language = languageIn(query as { language?: unknown });
    const file = target && (await files[target.kind](target.tenantId, target.record, language));
    if (!file) throw fail('not_found', { message: 'no such file, or its address has expired' });
    return { target, file };
  }
  const url = '/downloads/:token';
  app.get(url, async (request, reply: FastifyReply) => {
    const { target, file } = await find(request);
    reply.headers(headersOf(file));
    if (sentMethod(request) === 'HEAD') return reply.send();
    const access = accessOf(target, file, request);
    if (access) await note(access);
    return reply.send(await file.open());
  });
}
