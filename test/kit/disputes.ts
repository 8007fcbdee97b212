import { addSeconds } from '../../engine/time/instant.ts';
import type { Api } from './api.ts';
import { endCalendar } from './calendar.ts';
import type { Engine } from './engine.ts';
import type { ReplyBody } from './http/http.ts';
import { uuid } from './ids.ts';
import type { Person } from './person.ts';
import { openServer, type TestServer, type TestServerOptions } from './server.ts';

/** A server for tests of disputes, and what they look at. */
export interface DisputesServer {
  readonly server: TestServer;
  readonly api: Api;
  readonly engine: Engine;
  /** The instant some seconds from now, on the Tenant's clock. */
  at(seconds: number): Promise<string>;
  /** The dispute as the API shows it now, and with its case as the portal does. */
  shown(dispute: ReplyBody): Promise<ReplyBody>;
  caseOf(dispute: ReplyBody): Promise<ReplyBody>;
  /** The entries posted of it: step, pocket, cents, and the Transaction's type where it is one. */
  entries(dispute: ReplyBody): Promise<string[]>;
  balances(...people: Person[]): Promise<{ available: number; earmarked: number }[]>;
  transactions(person: Person, type: string): Promise<ReplyBody[]>;
}

/**
 * Opens a server without grace, fees and daily reports, since deadlines are weeks ahead. Await it at the top
 * of the file.
 */
export async function openDisputes(options?: TestServerOptions): Promise<DisputesServer> {
  const server = await openServer({ manual: true, ...options });
  await endCalendar(server, 'statements', 'reserve_top_up');
  const { api, engine } = server;
  await engine.change({ confirmation_grace_seconds: 0, fees: [] });
  const listed = async (path: string, { id }: ReplyBody): Promise<ReplyBody> =>
    (await api.get(path)).data.find((one: ReplyBody) => one.id === id);
  return {
    server,
    api,
    engine,
    at: async (seconds) => addSeconds(await engine.context().now(), seconds),
    shown: (made) => listed(`/v1/disputes?limit=100&customer_id=${made.customer_id}`, made),
    caseOf: (made) => listed('/portal/api/disputes?limit=100', made),
    async entries({ id }) {
      const entries = await engine.query<{ line: string }>(
        `select concat_ws(' ', step, pocket, delta, transaction_type) as line from entries
         where tenant_id = $1 and source_id = $2 order by id`,
        uuid('dispute', id),
      );
      return entries.map(({ line }) => line);
    },
    balances: (...people) =>
      Promise.all(
        people.map(async (person) => {
          const { available, earmarked } = await api.balance(person);
          return { available, earmarked };
        }),
      ),
    transactions: async ({ accountId }, type) =>
      (await api.get(`/v1/accounts/${accountId}/transactions?type=${type}`)).data,
  };
}
