import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';

const gzipped = promisify(gzip);
const level = 9;

/** A file as small as gzip makes it. */
export const pack = (file: Buffer): Promise<Buffer> => gzipped(file, { level });
/** The maximum of files, more than a build has. */
const maximumFiles = 500;

/** Whether a client takes gzip (RFC 9110, 12.5.3). One that says nothing gets the plain file. */
export const takesGzip = (accepted = ''): boolean =>
  accepted.split(',').some((one) => {
    const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part));
  });

/** Sends files of the build; each is packed once, when it is first asked for. */
export function openPacked() {
  const known = new LRUCache<string, Promise<Buffer>>({ max: maximumFiles });
  return async (reply: FastifyReply, name: string, file: Buffer): Promise<FastifyReply> => {
    reply.header('vary', 'accept-encoding');
    if (!takesGzip(reply.request.headers['accept-encoding'])) return reply.send(file);
    const packed = known.get(name) ?? pack(file);
    known.set(name, packed);
    return reply.header('content-encoding', 'gzip').send(await packed);
  };
}
