import type { Api } from './api.ts';
import { type Engine, openEngine } from './engine.ts';
import type { Reply } from './http/http.ts';
import { type PortalPerson, portalPerson } from './people.ts';
import { twoQrKeys } from './qr_keys.ts';
import { openServer, type TestServer, type TestTenant } from './server.ts';

/** A Tenant on which staff act. */
export interface StaffCase {
  readonly tenant: TestTenant;
  readonly api: Api;
  readonly engine: Engine;
  /** Sends a request as a person of staff, naming the Tenant. */
  send(by: PortalPerson, method: string, path: string, body?: object): Promise<Reply>;
}

/** A sandbox in which some acts need two people, and three admins who are signed in. */
export interface ApprovalsServer {
  readonly server: TestServer;
  readonly admins: readonly [PortalPerson, PortalPerson, PortalPerson];
  /** A further Tenant, without fees and without anything that recurs. */
  openCase(): Promise<StaffCase>;
  /** Lets real time pass. Sessions end meanwhile. */
  pass(ms: number): void;
}

/** An approval or a refusal in short: its reason or code, else the status of the request. */
export const shortOf = ({ status, body }: Reply): [number, string] => [
  status,
  body.error ? (body.error.details?.reason ?? body.error.code) : body.status,
];

/** Lets staff have held their roles for long: whoever got one lately is no second person. */
export async function heldLong(
  { service }: Pick<TestServer, 'service'>,
  ...people: readonly Pick<PortalPerson, 'id'>[]
): Promise<void> {
  await service.control.query(
    `update control.roles set granted_at = '2020-01-01', bootstrap = false where person_id = any($1)`,
    [people.map(({ id }) => id)],
  );
}

/** Await it at the top of the file. */
export async function openApprovals(): Promise<ApprovalsServer> {
  let lateMs = 0;
  const realNow = () => Date.now() + lateMs;
  const config = { approvals: true, qrSigningKeys: twoQrKeys() };
  const server = await openServer({ config, workers: false, realNow });
  const admin = () => portalPerson(server, 'platform', ['admin']);
  const admins = [await admin(), await admin(), await admin()] as const;
  await heldLong(server, ...admins);
  return {
    server,
    admins,
    async openCase() {
      const tenant = await server.anotherTenant({ calendar: false, settings: { fees: [] } });
      const headers = { 'tenant-id': tenant.tenantId };
      return {
        tenant,
        api: server.apiOf(tenant),
        engine: openEngine(server.service, tenant.tenantId),
        send: (by, method, path, body) => by.ask(method, path, body, { headers }),
      };
    },
    pass: (ms) => {
      lateMs += ms;
    },
  };
}
