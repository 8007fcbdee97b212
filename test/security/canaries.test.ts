import { endpoints, personalFields, secretFields } from '@tenant-payments/contract/catalog.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { portalEndpoints } from '@tenant-payments/contract/portal/catalog.ts';
import { expect, test } from 'vitest';
import { openHostedPages } from '../kit/pages/hosted.ts';
import { twoQrKeys } from '../kit/qr_keys.ts';
import { openServer } from '../kit/server.ts';

const lines: string[] = [];
const server = await openServer({
  manual: true,
  config: { qrSigningKeys: twoQrKeys() },
  tenant: { rateLimit: 60_000 },
  onLog: (line) => lines.push(line),
});
const { api, service } = server;
const pages = openHostedPages(server);
const { bearer } = await pages.load(await api.banked('individual'));

/** Of no shape that redaction knows, so that its field alone hides it. */
const canary = 'Kanarienvogel';
const names = [...new Set([...secretFields, ...personalFields])];
const holding = Object.fromEntries(names.map((name) => [name, canary]));
/** Each operation gets every secret and personal field of the contract, also where it has none. */
const bodies: readonly object[] = [
  holding,
  { prefill: holding, person: holding, business: holding },
  ...names.map((name) => ({ [name]: canary })),
];

const doors = [
  ...Object.values(endpoints).map((each) => ({ ...each, token: server.token })),
  ...Object.values(portalEndpoints).map((each) => ({ ...each, token: server.token })),
  ...Object.values(hostedEndpoints).map((each) => ({ ...each, token: bearer })),
].filter(({ method }) => method !== 'GET');

test.each(doors.map((door) => [`${door.method} ${door.path}`, door] as const))(
  '%s repeats no secret and no personal field in its refusal, the log or the request log',
  async (_, { method, path, token }) => {
    lines.length = 0;
    const form = path === '/oauth/token';
    const url = path.replaceAll(/:\w+/g, 'x');
    const said = await Promise.all(
      bodies.map(async (body) => {
        const text = form
          ? new URLSearchParams(body as Record<string, string>).toString()
          : JSON.stringify(body);
        const reply = await server.call(method, url, {
          token,
          key: crypto.randomUUID(),
          body: text,
          ...(form ? { headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {}),
        });
        return reply.status < 400 ? '' : JSON.stringify(reply.body);
      }),
    );
    expect(said.filter((text) => text.includes(canary))).toEqual([]);
    await service.requestLog.flush();
    const { rows } = await service.pool.query('select * from requests where tenant_id = $1', [
      server.tenant.tenantId,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(canary);
    expect(lines.join('')).not.toContain(canary);
  },
);
