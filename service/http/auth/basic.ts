import { fail } from '@tenant-payments/engine/fail.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Credentials of an OAuth client in an Authorization of the scheme Basic (RFC 6749, 2.3.1). */

const scheme = /^basic +([a-z0-9+/]+={0,2}) *$/i;

/** Both parts are form-encoded before they are joined. @throws URIError */
const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

interface Pair {
  readonly client_id: string;
  readonly client_secret: string;
}

/** The credentials of such a header; null: it has none. */
export function basicOf(authorization: string): Pair | null {
  const text = Buffer.from(scheme.exec(authorization)?.[1] ?? '', 'base64').toString();
  const at = text.indexOf(':');
  if (at < 0) return null;
  try {
    return { client_id: decoded(text.slice(0, at)), client_secret: decoded(text.slice(at + 1)) };
  } catch {
    return null;
  }
}

/**
 * Puts the credentials of the header into the form, as if they had come there.
 * @throws ApiError invalid_client for a header that has none, or another client than the form;
 *   parameter_invalid where the form has a secret too: a client proves itself in one way
 */
export async function takeBasic(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { authorization } = request.headers;
  if (authorization === undefined) return;
  // Also for a wrong secret, which is found later (RFC 6749, 5.2).
  reply.header('www-authenticate', 'Basic realm="tenant-payments"');
  const form = (request.body ?? {}) as Partial<Record<keyof Pair, unknown>>;
  const pair = basicOf(authorization);
  if (!pair || (form.client_id !== undefined && form.client_id !== pair.client_id))
    throw fail('invalid_client', { message: 'Authorization holds no client id with its secret' });
  if (form.client_secret !== undefined)
    throw fail('parameter_invalid', {
      param: 'client_secret',
      message: 'it stands in Authorization too: give it once',
    });
  request.body = { ...form, ...pair };
}
