import { randomUUID } from 'node:crypto';
import type { DocumentVersion } from '@tenant-payments/contract/resources/documents.ts';
import { hashSharedPin } from '../../../service/resources/customers/credentials/pins.ts';
import { reachable } from '../files/report_files.ts';
import type { Reply, ReplyBody } from '../http/http.ts';
import type { Person } from '../person.ts';
import type { TestServer } from '../server.ts';

/** The PIN of everybody whom `openHostedPages` has let in. */
export const pin = '284617';

/** A hosted page without a browser: what it asks, it asks over HTTP. */
export interface HostedPage {
  readonly bearer: string;
  /** The view as it was opened. */
  readonly view: ReplyBody;
  /** POSTs to `/hosted/api<path>`. */
  ask(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Reads what it shows now. */
  look(): Promise<ReplyBody>;
  /** The legal texts that it shows now, and how it names them when they are accepted. */
  read(): Promise<{ texts: ReplyBody[]; documents: DocumentVersion[] }>;
}

/** How a request was refused, in one line: `invalid_state expired`. */
export function refusalLine({ status, body }: Reply): string {
  if (status < 400) return `${status}`;
  const { code, param, details } = body.error;
  return [code, details?.reason ?? param].filter(Boolean).join(' ');
}

export function openHostedPages(server: TestServer) {
  const { pool, config } = server.service;

  const ask = (
    path: string,
    body: object | undefined,
    token: string | null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> =>
    server.call('POST', `/hosted/api${path}`, { token, headers, ...(body ? { body } : {}) });

  /** Opens the sample that an applicant opens before consenting to electronic records. */
  async function openSample(bearer: string): Promise<void> {
    const { body } = await server.call('GET', '/hosted/api/documents', { token: bearer });
    const reply = await fetch(reachable(server, body.sample_statement_url));
    if (reply.status !== 200) throw new Error(`the sample statement: ${reply.status}`);
    await reply.arrayBuffer();
  }

  async function page(token: string): Promise<HostedPage> {
    const { status, body } = await ask('/open', { token }, null);
    if (status !== 200) throw new Error(`open: ${JSON.stringify(body)}`);
    const { bearer, view } = body;
    if (view.flow === 'onboarding') await openSample(bearer);
    const get = async (path: string): Promise<ReplyBody> =>
      (await server.call('GET', `/hosted/api${path}`, { token: bearer })).body;
    return {
      bearer,
      view,
      ask: (path, given, headers) => ask(path, given, bearer, headers),
      look: () => get('/session'),
      async read() {
        const { documents: texts }: { documents: ReplyBody[] } = await get('/documents');
        const documents = texts.map(({ document_type, version }) => ({ document_type, version }));
        return { texts, documents };
      },
    };
  }

  async function created(path: string, body: object): Promise<ReplyBody> {
    const reply = await server.call('POST', path, { body, key: randomUUID() });
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  return {
    /** Asks without a session: with what the body brings, or with another bearer. */
    ask: (path: string, body?: object, bearer: string | null = null) => ask(path, body, bearer),
    page,
    /** Everybody may enter the same PIN. */
    async givePins(): Promise<void> {
      const hash = await hashSharedPin(config.pinPeppers, pin);
      // Emptied once the account has closed.
      await pool.query(`update pins set hash = $1 where hash <> ''`, [hash]);
    },
    /** A flow of its own, opened. */
    async flow(flow: string, customerId: string): Promise<HostedPage> {
      return page((await created('/v1/sessions', { flow, customer_id: customerId })).token);
    },
    /** A load that its customer may confirm, with the page opened. */
    async load({ customerId }: Person, amount = 25_00): Promise<HostedPage & { id: string }> {
      const load = await created('/v1/loads', { customer_id: customerId, amount });
      return { ...(await page(load.confirmation_session.token)), id: load.id };
    },
  };
}
export type HostedPages = ReturnType<typeof openHostedPages>;
