import { changeFurtherEndpoint as contract } from '../../backoffice/contract/traffic/further_endpoints.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import {
  changeFurtherEndpoint,
  readFurtherEndpoints,
} from '../../service/webhooks/further_endpoints.ts';
import { type ShownEndpoint, shownEndpoint } from '../../service/webhooks/further_table.ts';
import type { Deployment, OpenDatabase, Parts } from './deployment.ts';
import { Fault } from './fault.ts';
import { submitted } from './submit.ts';

/** Names one of a Tenant's webhook endpoints; absent: the first one. */
export interface OfEndpoint {
  /** The name or the id of a further one. */
  readonly endpoint?: string;
}

type Db = OpenDatabase['db'];

/** All beside the first one, the oldest first. */
export const furtherEndpoints = async (db: Db, tenantId: string): Promise<ShownEndpoint[]> =>
  (await readFurtherEndpoints(db, tenantId)).map(shownEndpoint);

/** The one with this id, or with this name where no other has it. @throws Fault */
export async function namedEndpoint(
  db: Db,
  tenantId: string,
  named: string,
): Promise<ShownEndpoint> {
  const all = await furtherEndpoints(db, tenantId);
  const found = all.filter(({ id, name }) => id === named || name === named);
  const [one] = found;
  if (one && found.length === 1) return one;
  const what = one
    ? `${found.length} endpoints are called ${named}: ${found.map(({ id }) => id).join(', ')}`
    : `no endpoint beside the first one is called ${named}`;
  const hint = one ? 'Name it by its id.' : `webhooks endpoints --tenant ${tenantId} lists all.`;
  throw new Fault(what, hint);
}

/** The id of the endpoint that is meant, as an input names it. */
export const endpointIdOf = async (db: Db, tenantId: string, { endpoint }: OfEndpoint) =>
  endpoint === undefined ? {} : { endpoint_id: (await namedEndpoint(db, tenantId, endpoint)).id };

/** Shows a further endpoint, or changes what is given of it. */
export async function furtherEndpoint(
  deployment: Deployment,
  parts: Parts,
  tenantId: string,
  {
    named,
    ...change
  }: { readonly named: string; readonly url?: string; readonly enabled?: boolean },
): Promise<ShownEndpoint> {
  const before = await namedEndpoint(parts.db, tenantId, named);
  if (change.url === undefined && change.enabled === undefined) return before;
  assertShape(contract.body, change);
  const told = { act: 'changeFurtherEndpoint', event: 'webhook_endpoint_changed' } as const;
  const command = changeFurtherEndpoint;
  const input = { id: before.id, ...change };
  return submitted<ShownEndpoint, typeof input>(deployment, tenantId, told, command, input);
}
