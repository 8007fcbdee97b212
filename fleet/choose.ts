import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { scopeOfMark } from '@tenant-payments/backoffice/people/api_keys/make.ts';
import { platform } from '@tenant-payments/backoffice/people/scope.ts';
import { cookieOf } from '@tenant-payments/backoffice/people/sessions/cookie.ts';
import { storedSecret } from '@tenant-payments/backoffice/people/sign_in/stored_secrets.ts';
import { hostedEndpoints as hosted } from '@tenant-payments/contract/hosted/catalog.ts';
import { createToken } from '@tenant-payments/contract/resources/tokens.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { basicOf } from '@tenant-payments/service/http/auth/basic.ts';
import { openDownloadLinks } from '@tenant-payments/service/http/files/download_links.ts';
import { tenantIn } from '@tenant-payments/service/http/files/tenant_shells.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { LRUCache } from 'lru-cache';
import type { AnyCell } from './any_cell.ts';
import { openDirectory } from './directory.ts';

/** The name in a request that leads to its cell: the id of a Tenant or of a client; null: nothing. */
type Named = string | null;

const bearer = /^Bearer (([a-z]+)_[\w-]+)$/i;
const download = /^\/downloads\/(dl_[\w-]+)$/;
const hostedPage = /^\/hosted\/([0-9a-f]{32})(?:\/|$)/;
const tenantOfStaff = /^\/portal\/api\/tenants\/([0-9a-f-]{36})(?:\/|$)/;

/** Tokens whose cell is remembered. */
const maximumTokens = 10_000;

const pathOf = ({ url = '/' }: IncomingMessage): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] ?? '/';

/** A field of a JSON body; null where it is none. */
function fieldOf(body: string, field: string): string | null {
  try {
    const value: unknown = JSON.parse(body)?.[field];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** The destination of a request: its cell and Tenant; null: of no Tenant, or of nobody. */
export interface Destination {
  readonly service: Service;
  readonly tenantId: string | null;
}

/** Opens the choice of the cell of a request that this process serves (rules/cells#9). */
export function openChoice(
  first: Service,
  ask: AnyCell,
  movedTo: (tenantId: string) => string | undefined,
) {
  const { vault, config, peers } = first;
  const directory = openDirectory(peers, ask, movedTo);
  const links = openDownloadLinks(first);

  /** By its mark, which all cells make with the same key: a made-up one names nobody. */
  const ofSecret = (secret: string | null, prefix: string): Named =>
    secret === null ? null : vault.tenantOf(secret, prefix);
  const inField = (field: string, prefix: string) => (body: string) =>
    ofSecret(fieldOf(body, field), prefix);
  /** A client names itself in one of two ways. */
  const client = (body: string, { authorization = '' }: IncomingHttpHeaders): Named =>
    basicOf(authorization)?.client_id ?? new URLSearchParams(body).get('client_id');

  const inBody: Readonly<Record<string, (body: string, headers: IncomingHttpHeaders) => Named>> = {
    [createToken.path]: client,
    [hosted.openSession.path]: inField('token', 'st'),
    [hosted.openOwnerLink.path]: inField('token', 'ol'),
    [hosted.submitOwner.path]: inField('token', 'ol'),
    [hosted.openBank.path]: inField('link_token', 'link-sandbox'),
    [hosted.chooseAccount.path]: inField('link_token', 'link-sandbox'),
  };

  async function ofSession(request: IncomingMessage): Promise<Named> {
    const token = cookieOf(request, config);
    if (token === null) return null;
    const [session] = await ask<{ scope: string | null }>({
      text: 'select scope from control.sessions where token_hash = $1',
      values: [storedSecret({ vault }, 'session', token)],
    });
    return session?.scope ?? null;
  }

  /** The scope of whoever calls: a secret's, or that of a person's session. */
  async function scopeOf(request: IncomingMessage, path: string): Promise<Named> {
    const [, secret, prefix = ''] = bearer.exec(request.headers.authorization ?? '') ?? [];
    if (secret === undefined) return path.startsWith('/portal/') ? ofSession(request) : null;
    const marked = ofSecret(secret, prefix);
    return marked === null ? null : scopeOfMark(marked);
  }

  async function ofCaller(request: IncomingMessage, path: string): Promise<Named> {
    const scope = await scopeOf(request, path);
    if (scope !== platform) return scope;
    const { 'tenant-id': named } = request.headers;
    return tenantOfStaff.exec(path)?.[1] ?? (typeof named === 'string' ? named : null);
  }

  const inPath = (path: string): Named => {
    const page = hostedPage.exec(path)?.[1];
    if (page !== undefined) return tenantIn(page);
    return links.read(download.exec(path)?.[1] ?? '')?.tenantId ?? null;
  };

  /** A Tenant's token leads to one cell until the Tenant is moved. */
  const byToken = new LRUCache<string, Destination>(atMost(maximumTokens));

  return {
    /** Without looking again; undefined: `cellOf` finds it. */
    knownCellOf: ({ url = '', headers }: IncomingMessage): Destination | undefined =>
      url.startsWith('/v1/') ? byToken.get(headers.authorization ?? '') : undefined,

    /** To be called when a Tenant is in another cell now. */
    forget: () => byToken.clear(),

    /** Whether only the body says it. */
    isInBody: (request: IncomingMessage): boolean => Object.hasOwn(inBody, pathOf(request)),

    /** @param body where it was read. @returns the first cell for what is of no Tenant, or of nobody */
    async cellOf(request: IncomingMessage, body: string | null): Promise<Destination> {
      const path = pathOf(request);
      const named =
        body === null
          ? (inPath(path) ?? (await ofCaller(request, path)))
          : (inBody[path]?.(body, request.headers) ?? null);
      const found = named === null ? undefined : await directory(named);
      const { authorization } = request.headers;
      if (found && authorization && path.startsWith('/v1/')) byToken.set(authorization, found);
      return found ?? { service: first, tenantId: null };
    },
  };
}
