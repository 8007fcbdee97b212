import { afterAll } from 'vitest';
import { digestOf } from '../contract/digest.ts';
import { openSender } from '../contract/send.ts';
import type { Reply } from '../kit/http/http.ts';
import { openServer } from '../kit/server.ts';
import { idsOf } from './foreign_ids.ts';
import { playTenant } from './records.ts';

export const publicIds = /[a-z]+_[0-9a-f]{32}/g;

/** A server with two Tenants that have records of every kind. Await it at the top of the file. */
export async function openTwoTenants() {
  const rateLimit = 10_000_000;
  const server = await openServer({ workers: false, tenant: { rateLimit } });
  const sender = openSender(server.baseUrl);
  afterAll(() => sender.close());
  const second = await server.anotherTenant({ rateLimit });
  const [own, other] = await Promise.all([
    playTenant(server, server.tenant),
    playTenant(server, second),
  ]);
  await server.service.requestLog.flush();
  const foreign = await idsOf(server.service.pool, second.tenantId);
  return {
    server,
    sender,
    own,
    other,
    foreign,
    /** Every row of the other Tenant's, so that a change shows. */
    async rowsOfOther(): Promise<string> {
      await server.service.requestLog.flush();
      return digestOf(server.service.pool, second.tenantId);
    },
    /** An id of the other Tenant's that a reply shows and that was not sent. */
    leaked: ({ body }: Reply, sent: string): string | undefined =>
      (JSON.stringify(body).match(publicIds) ?? []).find(
        (id) => foreign.all.has(id) && !sent.includes(id),
      ),
  };
}

/** The reply byte for byte: without what tells one call from the next, and what was sent. */
export function told({ status, headers, body }: Reply, sent: string): string {
  const requestId = headers.get('service-request-id') ?? '';
  const text = JSON.stringify(body).replaceAll(requestId, '<request>').replaceAll(sent, '<sent>');
  const kept = [...headers].filter(
    ([name]) => !/^(date|service-request-id|ratelimit-.*|content-length)$/.test(name),
  );
  return `${status} ${JSON.stringify(kept)} ${text}`;
}

/** A record that was made: what differs between any two that are made alike. */
export const masked = (text: string) =>
  text
    .replaceAll(publicIds, '<id>')
    .replaceAll(/"id":"[0-9a-f-]{36}"/g, '"id":"<id>"')
    .replaceAll(/"(token|link_token|qr_payload|payment_link)":"[^"]*"/g, '"$1":"<secret>"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"mobile_number_last4":"\d{4}"/g, '<mobile>')
    .replaceAll(/ref-[0-9a-f]{16}/g, '<ref>');
