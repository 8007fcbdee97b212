import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { openDescription, type Route } from '../../../bank/http/description.ts';
import { programs, root } from '../processes/built.ts';
import { freePort } from '../processes/free_port.ts';
import { until } from '../wait.ts';

const { routesOf, checkOf } = openDescription(pathToFileURL(join(root, 'bank/openapi.yaml')));
const routes = (['bank', 'play'] as const).flatMap(routesOf);

export const isEvent = checkOf('components', 'schemas', 'Event');

// biome-ignore lint/suspicious/noExplicitAny: the document has checked it
type Body = any;
interface Reply {
  readonly status: number;
  readonly body: Body;
}
type Method = Route['method'];

/** Called operations of the document, so that a test can say that none is left. */
export const called = new Set<string>();
export const operations = routes.map(({ id }) => id);

const partsOf = (path: string) => (path.split('?')[0] ?? '').split('/');
const fits = (template: string, path: string): boolean => {
  const [own, given] = [partsOf(template), partsOf(path)];
  return (
    own.length === given.length &&
    own.every((part, index) => part.startsWith('{') || part === given[index])
  );
};
const routeOf = (method: Method, path: string): Route | undefined =>
  routes.find((route) => route.method === method && fits(route.template, path));

/** Holds a reply against the document. */
function proveReply(method: Method, path: string, { status, body }: Reply): void {
  const route = routeOf(method, path);
  if (!route) return;
  called.add(route.id);
  const place = ['paths', route.template, method.toLowerCase(), 'responses', String(status)];
  const named = checkReference(place);
  expect([status, named(body) || named.errors, body]).toEqual([status, true, body]);
}

/** A reply may be named among the components. */
function checkReference(place: readonly string[]) {
  const content = ['content', 'application/json', 'schema'];
  try {
    return checkOf(...place, ...content);
  } catch {
    const status = place.at(-1) ?? '';
    const name = Number(status) >= 400 ? 'Error' : nameOfReply(place);
    return checkOf('components', 'responses', name, ...content);
  }
}
const nameOfReply = (place: readonly string[]) =>
  place[1]?.includes('behaviour') ? 'Behaviour' : 'Order';

/** A bank in a process of its own. Each reply is held against openapi.yaml. */
export interface BankProcess {
  readonly url: string;
  readonly playUrl: string;
  readonly folder: string;
  /** Calls the bank as its client. */
  call(method: Method, path: string, body?: object): Promise<Reply>;
  /** Calls the door of play. */
  play(method: Method, path: string, body?: object): Promise<Reply>;
  /** Ends it as a power cut would, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param folder empty, or that of a bank before
 * @param env its settings; a BANK_PORT that its client must know before
 */
export async function startBank(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BankProcess> {
  const [port, playPort] = [Number(env.BANK_PORT) || (await freePort()), await freePort()];
  const url = `https://localhost:${port}`;
  const playUrl = `http://127.0.0.1:${playPort}`;
  const settings = { BANK_DIR: folder, BANK_PORT: `${port}`, BANK_PLAY_PORT: `${playPort}` };

  async function start() {
    const child = spawn(process.execPath, [join(programs, 'bank/main.js')], {
      env: { ...settings, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    const ended = once(child, 'close');
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`the bank ended: ${said}`);
        return fetch(`${playUrl}/play/behaviour`).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      { what: 'the start of the bank' },
    );
    return { child, ended };
  }

  let running = await start();
  const file = (name: string) => readFileSync(join(folder, name));
  const agent = new Agent({
    ca: file('ca.pem'),
    cert: file('client.pem'),
    key: file('client.key'),
    keepAlive: true,
  });

  async function call(method: Method, path: string, body?: object): Promise<Reply> {
    const headers = body ? { 'content-type': 'application/json' } : {};
    const asked = request(new URL(path, url), { method, agent, headers });
    asked.end(body && JSON.stringify(body));
    const [response] = await once(asked, 'response');
    const reply = { status: response.statusCode, body: JSON.parse(await text(response)) };
    proveReply(method, path, reply);
    return reply;
  }

  return {
    url,
    playUrl,
    folder,
    call,
    async play(method, path, body) {
      const json = { 'content-type': 'application/json' };
      const more = body ? { headers: json, body: JSON.stringify(body) } : {};
      const response = await fetch(`${playUrl}${path}`, { method, ...more });
      const reply = { status: response.status, body: await response.json() };
      proveReply(method, path, reply);
      return reply;
    },
    async crash() {
      running.child.kill('SIGKILL');
      await running.ended;
      running = await start();
    },
    async stop() {
      agent.destroy();
      running.child.kill('SIGTERM');
      await running.ended;
    },
  };
}
