import type { FastifyInstance, FastifyReply } from 'fastify';
import { noSuchPath } from '../serve/errors.ts';
import { htmlOf } from './markdown.ts';
import { escaped, htmlPage, link, styles } from './page.ts';
import {
  type Reference,
  referencePage,
  referencePolicy,
  referenceScript,
  startScript,
} from './reference.ts';
import {
  type DocText,
  type DocTexts,
  readDocTexts,
  readPicture,
  type Shelf,
  shelves,
} from './texts.ts';

const references: Readonly<Record<string, Reference>> = {
  api: { title: 'Tenant API', url: '/openapi.json' },
  'portal-api': { title: 'Portal JSON', url: '/portal/api/openapi.json' },
};

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A file of the release may be cached for a day; after an upgrade the old one may show so long. */
const assetCaching = 'public, max-age=86400';

const html = (reply: FastifyReply, page: string, policy = pagePolicy) =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cross-origin-opener-policy', 'same-origin')
    .send(page);

const asset = (reply: FastifyReply, type: string, content: string | Buffer) =>
  reply
    .header('content-type', `${type}; charset=utf-8`)
    .header('cache-control', assetCaching)
    .send(content);

const shelfTitles: Readonly<Record<Shelf, string>> = {
  guide: 'Guides',
  sdk: 'SDKs',
  rules: 'Rules',
  reference: 'Tables',
};

const published: readonly (readonly [string, string])[] = [
  ['/openapi.yaml', 'the contract as OpenAPI 3.1, with its webhooks'],
  ['/openapi.json', 'the same as JSON'],
  ['/collection.json', 'the contract as a request collection that runs'],
  ['/portal/api/openapi.json', "the portal's JSON as OpenAPI 3.1"],
];

const entry = (href: string, text: string, more = '') =>
  `<li>${link(href, text)}${more === '' ? '' : ` <span class="faint">${escaped(more)}</span>`}</li>`;

function indexPage(texts: DocTexts): string {
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  const shelf = (name: Shelf) =>
    [...texts.values()]
      .filter((text) => text.shelf === name)
      .map((text) => entry(`/docs/${name}/${text.name}.md`, text.title));
  const parts = [
    section('Reference', [
      entry('/docs/api', 'Tenant API', 'every operation, with examples'),
      entry('/docs/portal-api', 'Portal JSON', 'what the developer portal is made of'),
      ...published.map(([path, what]) => entry(path, path, what)),
    ]),
    ...shelves.map((name) => section(shelfTitles[name], shelf(name))),
  ];
  return htmlPage('Documentation', parts.join('\n'));
}

const repository = 'http://repository';

/** The target of a text's link on these pages; an external one unchanged; null: not served. */
function servedAt(target: string, { source }: DocText, texts: DocTexts): string | null {
  const { origin, pathname, hash } = new URL(target, `${repository}/${source}`);
  if (origin !== repository) return target;
  const picture = /^\/docs\/guide\/pictures\/[a-z0-9-]+\.png$/.test(pathname);
  if (picture) return pathname;
  const found = [...texts.values()].find((text) => `/${text.source}` === pathname);
  return found ? `/docs/${found.shelf}/${found.name}.md${hash}` : null;
}

function textPage(text: DocText, texts: DocTexts): string {
  const { shelf, name, title, markdown } = text;
  const plain = link(`/docs/${shelf}/${name}.txt`, 'as plain text');
  const main = htmlOf(markdown.replace(/^# .*\n/, ''), (target) => servedAt(target, text, texts));
  return htmlPage(title, `<p class="faint">${plain}</p>\n<article>\n${main}\n</article>`);
}

/** `/docs`: the guides and the reference, public. Nothing is loaded from elsewhere. */
export function serveDocs(app: FastifyInstance): void {
  let reading: Promise<DocTexts> | null = null;
  const allTexts = () => {
    reading ??= readDocTexts();
    return reading;
  };
  const textAt = async (shelf: string, name: string) => {
    const texts = await allTexts();
    const text = texts.get(`${shelf}/${name}`);
    if (!text) throw noSuchPath();
    return { texts, text };
  };

  app.get('/docs', async (_request, reply) => html(reply, indexPage(await allTexts())));
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/assets/docs.css', async (_request, reply) => asset(reply, 'text/css', styles));
  serveReferences(app);

  type Page = { Params: { shelf: string; name: string } };
  app.get<Page>('/docs/:shelf/:name.md', async ({ params }, reply) => {
    const { texts, text } = await textAt(params.shelf, params.name);
    return html(reply, textPage(text, texts));
  });
  app.get<{ Params: { file: string } }>('/docs/guide/pictures/:file', async ({ params }, reply) => {
    const picture = await readPicture(params.file);
    if (!picture) throw noSuchPath();
    return reply
      .header('content-type', 'image/png')
      .header('cache-control', assetCaching)
      .send(picture);
  });
  app.get<Page>('/docs/:shelf/:name.txt', async ({ params }, reply) => {
    const { text } = await textAt(params.shelf, params.name);
    return reply.header('content-type', 'text/plain; charset=utf-8').send(text.markdown);
  });
}

/** `/docs/api` and `/docs/portal-api`: the OpenAPI documents as pages. */
function serveReferences(app: FastifyInstance): void {
  let loading: Promise<Buffer> | null = null;
  app.get('/docs/assets/reference.js', async (_request, reply) => {
    loading ??= referenceScript();
    return asset(reply, 'text/javascript', await loading);
  });
  for (const [name, reference] of Object.entries(references)) {
    const start = `/docs/assets/${name}.js`;
    app.get(start, async (_request, reply) =>
      asset(reply, 'text/javascript', startScript(reference)),
    );
    app.get(`/docs/${name}`, async (_request, reply) =>
      html(reply, referencePage(reference, start), referencePolicy),
    );
  }
}
