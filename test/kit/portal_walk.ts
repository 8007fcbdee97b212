import { setTimeout as sleep } from 'node:timers/promises';
import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/backoffice/contract/endpoint.ts';
import { portalExamples } from '../../contract/emit/examples/portal.ts';
import type { Reply } from './http/http.ts';
import { answer, openBrowser, type PortalPerson, type Server, signing } from './people.ts';

/** One person who calls every operation of the portal that changes something. */

/** Operations that change something, of whoever is signed in. */
export const portalWrites = Object.values<PortalEndpoint>(portalEndpoints).filter(
  ({ method, may }) => method !== 'GET' && may !== 'anybody',
);

export interface Walker {
  /** Signs in and steps up by itself, whenever that is asked for. */
  send(method: string, path: string, body?: object): Promise<Reply>;
}

/** @param named the Tenant that staff name with each call */
export function openWalker(
  server: Server,
  { passkey }: Pick<PortalPerson, 'passkey'>,
  { scope, named }: { scope: string; named?: string },
): Walker {
  const headers: Readonly<Record<string, string>> = named ? { 'tenant-id': named } : {};
  let browser = openBrowser(server);
  const remedies: Readonly<Record<string, (reply: Reply) => unknown>> = {
    async authentication_required() {
      browser = openBrowser(server);
      await answer(browser, 'sign-in', passkey);
      await browser.ask('POST', '/session/act', { scope });
    },
    step_up_required: () => answer(browser, 'step-up', passkey),
    // A walk asks more than a person may in a minute.
    rate_limited: ({ headers }) => sleep(Number(headers.get('retry-after')) * 1_000),
  };
  const once = (method: string, path: string, body?: object) =>
    signing(browser, passkey)(method, path, body, { headers });
  return {
    async send(method, path, body) {
      for (let tries = 0; tries < 3; tries += 1) {
        const reply = await once(method, path, body);
        const remedy = remedies[reply.body?.error?.code ?? ''];
        if (!remedy) return reply;
        await remedy(reply);
      }
      return once(method, path, body);
    },
  };
}

/** Further requests to try, beside what the examples of the documents send. */
export interface Further {
  readonly bodies: Readonly<Record<string, readonly object[]>>;
  /** Paths whose parameters are more than an `id`. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Records that are listed, and are not of the walk. */
  readonly isOther: (path: string, id: string) => boolean;
}

/** @throws Error of an operation that wants a body and has neither example nor own one */
function bodiesOf(
  { id, body }: PortalEndpoint,
  { bodies }: Further,
): readonly (object | undefined)[] {
  if (!body) return [undefined];
  const example = portalExamples[id]?.body as object | undefined;
  const own = [...(example ? [example] : []), ...(bodies[id] ?? [])];
  if (own.length === 0) throw new Error(`no body is known of ${id}`);
  return own;
}

/**
 * The paths of an operation: its records are those that the walker is shown in the list before the `:id`.
 * @throws Error of an operation whose records nobody lists
 */
async function pathsOf(
  endpoint: PortalEndpoint,
  by: Walker,
  further: Further,
): Promise<readonly string[]> {
  const path = endpoint.path.replace('/portal/api', '');
  if (!path.includes(':')) return [path];
  const own = further.paths[endpoint.id];
  if (own) return own;
  const [list = '', ...rest] = path.split('/:id');
  if (rest.length !== 1 || rest[0]?.includes(':')) throw new Error(`no path of ${endpoint.id}`);
  const { status, body } = await by.send('GET', list);
  if (status !== 200) return [];
  return (body.data as readonly { id: string }[])
    .filter(({ id }) => !further.isOther(list, id))
    .map(({ id }) => `${list}/${id}${rest[0]}`);
}

/** Calls an operation of all its records with all bodies. */
export async function* walk(endpoint: PortalEndpoint, by: Walker, further: Further) {
  for (const path of await pathsOf(endpoint, by, further))
    for (const body of bodiesOf(endpoint, further))
      yield { path, body, reply: await by.send(endpoint.method, path, body) };
}
