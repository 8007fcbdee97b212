import { listEvents } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { eventTypes, simulateNames } from '@tenant-payments/contract/catalog.ts';
import { type Connection, connect } from '../connection.ts';
import type { Console, Options } from '../options.ts';
import { pageNames } from '../pages.ts';
import { readProfiles } from '../profiles.ts';
import { endpointOf, type Request } from '../resources/commands.ts';
import { enumOf } from '../resources/fields.ts';
import { type Operation, type ResourceCommands, resources } from '../resources/table.ts';
import { shellNames } from './scripts.ts';

const families: Readonly<Record<string, ResourceCommands>> = resources;
/** Whoever pressed the key waits. */
const patienceMs = 1_500;
const newest = 20;

const idsOf = ({ data }: { data: unknown }): string[] =>
  (data as { data: { id: string }[] }).data.map(({ id }) => id);

/** The newest ids of a list of the portal; none where it cannot be asked. */
async function listed(operation: Operation, { portal }: Connection): Promise<string[]> {
  const id = 'portal' in operation ? operation.portal : operation.otherwise;
  if (id === undefined) return [];
  const request = portal.request as Request;
  const options = { timeoutMs: patienceMs, maxRetries: 0 };
  return idsOf(await request(endpointOf({ portal: id }), { limit: newest }, options));
}

/** Records that something happened to lately. */
async function touched({ portal }: Connection): Promise<string[]> {
  const options = { timeoutMs: patienceMs, maxRetries: 0 };
  const { data } = (await portal.request(listEvents, { limit: 50 }, options)).data;
  return [...new Set(data.map((event) => String(event.data.object.id ?? '')))].slice(0, newest);
}

/**
 * The values that may stand in the place of an argument.
 * @param before the arguments that stand before it
 */
export async function argumentsOf(
  terminal: Console,
  options: Options,
  [family = '', verb = '']: readonly string[],
  before: readonly string[],
): Promise<string[]> {
  const account = () => connect(terminal, options);
  if (family === 'trigger') return [...eventTypes];
  if (family === 'completion') return [...shellNames];
  if (family === 'profiles') return Object.keys(readProfiles(terminal).profiles);
  if (family === 'open') return [...pageNames, ...(await touched(account()))];
  if (family === 'simulate') return before.length === 0 ? [...simulateNames] : touched(account());
  if (family === 'records') return touched(account());
  const { list } = families[family]?.verbs ?? {};
  // Linked accounts and sessions take first the id of a customer.
  const ofCustomer = ['customer', 'of', 'create'].includes(verb) && resources.customers.verbs.list;
  const operation = ofCustomer || list;
  return operation && before.length === 0 ? listed(operation, account()) : [];
}

/** The values that may stand behind a flag; none where it may be anything. */
export async function valuesOf(
  terminal: Console,
  options: Options,
  [family = '', verb = '']: readonly string[],
  flag: string,
): Promise<readonly string[]> {
  if (flag === '--profile') return Object.keys(readProfiles(terminal).profiles);
  if (flag === '--type' && family === 'events') return eventTypes;
  if (flag === '--events') return eventTypes;
  if (flag === '--output') return ['words', 'json', 'env'];
  if (flag === '--object') return touched(connect(terminal, options));
  const operation = families[family]?.verbs[verb];
  const known = operation ? enumOf(endpointOf(operation), flag) : [];
  if (known.length > 0) return known;
  if (/^--(\w+-)?customer-id$/.test(flag))
    return listed(resources.customers.verbs.list, connect(terminal, options));
  if (flag === '--payment-id')
    return listed(resources.payments.verbs.list, connect(terminal, options));
  return [];
}
