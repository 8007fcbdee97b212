import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Service } from '../../service.ts';
import { jsonType, noSuchPath } from '../serve/errors.ts';

/** Beside `main.js` in `dist/`, where the build puts them; also when run from the sources. */
const places = ['./packages/', '../../../dist/packages/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** A package as `scripts/build_packages.mjs` tells it. */
interface Packed {
  /** Without its extension: `sdk-server`. */
  readonly file: string;
  readonly name: string;
  readonly version: string;
  /** The digest as npm takes it: `sha512-…`. */
  readonly integrity: string;
  readonly bytes: number;
}

/** @throws ApiError not_found: none were built */
async function readPacked(): Promise<{ root: string; all: readonly Packed[] }> {
  const root = places.find((place) => existsSync(join(place, 'packages.json')));
  if (root === undefined) throw noSuchPath();
  return { root, all: JSON.parse(await readFile(join(root, 'packages.json'), 'utf8')) };
}

/** They hold no secret, and npm checks their integrity. */
const open = (reply: FastifyReply, caching: string): FastifyReply =>
  reply
    .header('cache-control', caching)
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin');

/** `/packages/*`: the SDKs and the command line of this release, as npm installs them (rules/docs-site#12). */
export function servePackages(
  app: FastifyInstance,
  { config }: { readonly config: Pick<Service['config'], 'publicUrl'> },
): void {
  app.get('/packages', async (_request, reply) => reply.redirect('/packages/', 308));
  app.get('/packages/', async (_request, reply) => {
    const { all } = await readPacked();
    const data = all.map(({ file, name, version, integrity, bytes }) => ({
      name,
      version,
      url: `${config.publicUrl}/packages/${file}-${version}.tgz`,
      latest: `${config.publicUrl}/packages/${file}.tgz`,
      integrity,
      bytes,
    }));
    return open(reply, 'no-cache')
      .header('content-type', jsonType)
      .send(JSON.stringify({ object: 'list', data, has_more: false, next_cursor: null }));
  });
  app.get<{ Params: { file: string } }>('/packages/:file', async ({ params }, reply) => {
    const { root, all } = await readPacked();
    const asked = all.find(({ file, version }) =>
      [`${file}.tgz`, `${file}-${version}.tgz`].includes(params.file),
    );
    if (!asked) throw noSuchPath();
    const isOfRelease = params.file !== `${asked.file}.tgz`;
    return open(reply, isOfRelease ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('content-type', 'application/gzip')
      .send(await readFile(join(root, `${asked.file}.tgz`)));
  });
}
