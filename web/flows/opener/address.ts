import { tenantOf } from '../../../sdk/browser/address.ts';

/** The page of a token, by its prefix. */
export type PageKind = 'flow' | 'owner' | 'bank' | 'identity';

/** The page's address: the Tenant, and the token in the fragment. */
export interface PageAddress {
  /** 32 hexadecimal digits; null on `/hosted` itself. */
  readonly tenant: string | null;
  readonly token: string | null;
}

/** Reads `/hosted/<tenant>[/owner|/bank|/identity]#<token>` (rules/hosted#1). */
export function readAddress(path: string, fragment: string): PageAddress {
  const [, tenant = null] = /^\/hosted\/([0-9a-f]{32})(?:\/|$)/.exec(path) ?? [];
  const token = fragment.replace(/^#/, '');
  return { tenant, token: token === '' ? null : token };
}

/** The kind of page that a token opens; two kinds of Plaid's have tokens of one form. */
export function kindOf(token: string, path = ''): PageKind {
  if (token.startsWith('ol_')) return 'owner';
  if (!/^link-(?:sandbox|production)[_-]/.test(token)) return 'flow';
  return path.endsWith('/identity') ? 'identity' : 'bank';
}

/** The address to which `/hosted#<token>` sends the page on; null: the token names no Tenant. */
export function addressOf(token: string): string | null {
  const tenant = tenantOf(token);
  return tenant === null ? null : `/hosted/${tenant}#${token}`;
}

/** The result of a flow on the return address, for the SDK's `handleReturn`. */
export interface ReturnFacts {
  readonly status: string;
  readonly result_token: string | null;
  readonly error: string | null;
  readonly session_id: string | null;
  readonly flow: string | null;
}

/** http(s), or an app's own scheme (a reversed domain): never one that runs as script. */
const returnScheme = /^(https?|[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+):$/;

/** @returns null where there is no safe one */
export const returnUrlOf = ({ return_url: url }: { readonly return_url: string | null }) =>
  url !== null && URL.canParse(url) && returnScheme.test(new URL(url).protocol) ? url : null;

/** The return address with the result in its fragment, which browsers send to no server. */
export function returnAddress(returnUrl: string, facts: ReturnFacts): string {
  const fragment = new URLSearchParams();
  for (const name of ['result_token', 'error', 'status', 'session_id', 'flow'] as const) {
    const value = facts[name];
    if (value !== null) fragment.set(name, value);
  }
  const url = new URL(returnUrl);
  url.hash = fragment.toString();
  return url.href;
}
