import { mayCall, type Role, seesPersonalData } from '@tenant-payments/contract/core/roles.ts';
import { redactedMark, redactedValue } from '@tenant-payments/service/http/log/redact.ts';
import { type InputOf, serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import type { PortalEndpoint } from '../contract/endpoint.ts';

/** A JSON text by its fields. Of words, and of JSON that was cut, nobody knows which are personal. */
function withoutPersonalText(text: string): string {
  try {
    const held: unknown = JSON.parse(text);
    if (typeof held !== 'string') return JSON.stringify(redactedValue(held, true));
  } catch {
    // No JSON.
  }
  return text.trim() === '' ? text : redactedMark;
}

/** Bodies that are text are searched too; the address of a file opens what the file holds. */
function withoutPersonalData(value: unknown): unknown {
  return JSON.parse(JSON.stringify(redactedValue(value, true)), (name, held) => {
    if (typeof held !== 'string') return held;
    if (name === 'download_url') return redactedMark;
    return name.endsWith('_body') ? withoutPersonalText(held) : held;
  });
}

/** The view of records for the holders of these roles (rules/people#7). */
export const shownTo = (roles: readonly Role[]): (<T>(value: T) => T) =>
  mayCall(seesPersonalData, roles)
    ? (value) => value
    : <T>(value: T) => withoutPersonalData(value) as T;

/** Registers a read of the portal; personal data in it is masked for whoever may not see it. */
export function serveRead<E extends PortalEndpoint>(
  scope: FastifyInstance,
  service: Service,
  endpoint: E,
  handler: (context: ReadContext, input: InputOf<E>) => Promise<object>,
): void {
  const { personal } = endpoint;
  serveHandler(scope, service, endpoint, async (context, input) => {
    const found = await handler(context, input);
    if (personal === undefined || !(personal in found)) return found;
    const held = found[personal as keyof typeof found];
    return { ...found, [personal]: shownTo(context.actor.roles)(held) };
  });
}
