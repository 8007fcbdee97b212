import { createHash } from 'node:crypto';
import { hashSharedPin } from '../../../service/resources/customers/credentials/pins.ts';
import { playScenario } from '../../contract/scenario.ts';
import { type Api, openApi } from '../../kit/api.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { pin } from '../../kit/pages/hosted.ts';
import type { TestServer } from '../../kit/server.ts';
import { type Operation, operations } from './operations.ts';
import type { Planned } from './requests.ts';

/** The values that replies have shown of one Tenant, by kind: ids and tokens by their prefix, others by field. */
type Known = Map<string, string[]>;

const keptFirst = 20;
const keptAtMost = 80;
const byField = ['link_token', 'public_token', 'qr_payload', 'next_cursor'];
const prefixed = /^([a-z]+)_[\w-]{20,}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function keep(known: Known, kind: string, value: string): void {
  const list = known.get(kind) ?? [];
  if (list.includes(value)) return;
  if (list.length >= keptAtMost) list.splice(keptFirst, 1);
  known.set(kind, [...list, value]);
}

function note(known: Known, value: unknown, name = ''): void {
  if (typeof value === 'object' && value !== null)
    for (const [inner, held] of Object.entries(value)) note(known, held, inner);
  if (typeof value !== 'string' || name.startsWith('client_')) return;
  const kind = byField.includes(name) ? name : prefixed.exec(value)?.[1];
  if (kind) keep(known, kind, value);
  else if (uuid.test(value)) keep(known, 'uuid', value);
}

const rateLimit = 10_000_000;

/** Operations that would end what the others rest on: another Tenant is made for them. */
const disruptive =
  /\/portal\/api\/(settings|chaos|clock|credentials|webhook-secrets|tenants\/|sandbox\/|platform-approvals|qr-keys)/;
export const isDisruptive = ({ method, path }: Operation): boolean =>
  method !== 'GET' && disruptive.test(path);

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Opens a page of each flow, as far as their customers still can. */
async function openPages(api: Api, known: Known): Promise<void> {
  const open = async (made: Promise<ReplyBody>) => {
    try {
      const record = await made;
      const { confirmation_session, onboarding_session } = record;
      const { token } = confirmation_session ?? onboarding_session ?? record;
      const reply = await api.call('POST', '/hosted/api/open', { token: null, body: { token } });
      note(known, reply.body);
    } catch {
      // Its customer was closed or suspended by an accepted request.
    }
  };
  const person = await api.banked('individual');
  await open(api.customer('individual'));
  await open(api.customer('business'));
  await open(api.load(person, 20_00));
  await open(api.session('pin_reset', person));
  await open(api.session('contact_change', person));
  await open(api.session('terms_acceptance', person));
  const tokens = { platform: 'ios' };
  note(known, await api.post(`/v1/customers/${person.customerId}/link-tokens`, tokens));
}

/**
 * The Tenants that fuzzed requests are about. Their records and tokens are used up by what is
 * accepted, so `renew` makes new Tenants, and `refresh` new pages.
 */
export async function openWorld(server: TestServer) {
  let own: Known = new Map();
  let theirs: Known = new Map();
  let scratch: Known = new Map();
  let api: Api = server.api;
  let count = 0;

  async function newTenant(known: Known) {
    const tenant = await server.anotherTenant({ rateLimit });
    for (const [kind, value] of Object.entries({
      token: tenant.token,
      operator: server.operatorKey,
      client_id: tenant.client_id,
      client_secret: tenant.client_secret,
    }))
      keep(known, kind, value);
    return tenant;
  }
  /** Reads what its lists show, so that every kind of record is known. */
  async function readAll(of: Api, known: Known): Promise<void> {
    for (const { method, path, params, query, caller } of operations)
      if (method === 'GET' && caller === 'tenant' && params.length === 0)
        if (!query.some(({ required }) => required))
          note(known, (await of.call('GET', path, {})).body);
  }

  async function renewScratch(): Promise<void> {
    scratch = new Map();
    const { token } = await newTenant(scratch);
    const of = openApi(server.baseUrl, token);
    await of.funded('individual', 10_00);
    await of.post('/portal/api/credentials');
    await of.post('/portal/api/webhook-secrets');
    await readAll(of, scratch);
  }

  async function refresh(): Promise<void> {
    await openPages(api, own);
    const hash = await hashSharedPin(server.service.config.pinPeppers, pin);
    await server.owner.query(`update pins set hash = $1 where hash <> ''`, [hash]);
    for (const message of server.sent.splice(0)) {
      const token = /ol_[\w-]+/.exec(JSON.stringify(message))?.[0];
      if (token) keep(own, 'ol', token);
    }
  }

  async function renew(): Promise<void> {
    own = new Map();
    theirs = new Map();
    const [tenant, other] = [await newTenant(own), await newTenant(theirs)];
    api = openApi(server.baseUrl, tenant.token);
    await playScenario(server.baseUrl, tenant.token);
    const foreign = openApi(server.baseUrl, other.token);
    await foreign.funded('individual', 10_00);
    await openPages(foreign, theirs);
    await readAll(api, own);
    await readAll(foreign, theirs);
    await renewScratch();
    await refresh();
  }

  function valueFor(known: Known, whose: string, what: string, index: number): string {
    count += 1;
    if (what === 'ref') return `fuzz-${hexOf(`${count}`)}`;
    if (what === 'mobile') return `+1212${2_000_000 + (count % 7_000_000)}`;
    if (whose === 'new') return `${what}_${hexOf(`${count}`)}`;
    const list = (whose === 'theirs' ? theirs : known).get(what) ?? [];
    return list[index % list.length] ?? `${what}_${hexOf(`${index}`)}`;
  }

  /** A request with what is known in place of its marks, from an address of its own. */
  function resolve(planned: Planned): Planned {
    const { operation, request } = planned;
    const known = isDisruptive(operation) ? scratch : own;
    const put = (text: string) =>
      text.replaceAll(/~(own|theirs|new)\.(\w+)\.(\d+)~/g, (_, whose, what, index) =>
        valueFor(known, whose, what, Number(index)),
      );
    count += 1;
    const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
    const headers = Object.entries({ 'x-forwarded-for': address, ...request.headers });
    return {
      ...planned,
      request: {
        ...request,
        path: put(request.path),
        headers: Object.fromEntries(headers.map(([name, value]) => [name, put(value)])),
        ...(request.body === undefined ? {} : { body: put(request.body) }),
      },
    };
  }

  return {
    renew,
    renewScratch,
    refresh,
    resolve,
    /** Remembers what the reply to an accepted request shows. */
    note: (operation: Operation, body: unknown) =>
      note(isDisruptive(operation) ? scratch : own, body),
  };
}
