import { type Browser, openBrowser, type Server } from '../people.ts';

/** A browser that goes through a provider, with cookies of its own on each side. */
export interface Visitor extends Browser {
  /** Begins at our side. @returns the provider's address */
  begin(body: object, way?: 'begin' | 'link' | 'step-up'): Promise<string>;
  /** Follows the provider's pages until it sends the browser back. @returns the callback's address */
  visit(address: string): Promise<string>;
  /** Drops the provider's cookies, so that it asks again. */
  leaveProvider(): void;
  /** Opens the callback. @returns the page that it leads to, without the origin */
  comeBack(callback: string): Promise<string>;
  /** The cookie of the attempt; null: none. */
  attempt: string | null;
}

const pairOf = (cookie: string): string => cookie.split(';')[0] ?? '';

/** @param headers of each request to our side */
export function openVisitor(
  server: Server & { readonly baseUrl: string },
  of: Browser = openBrowser(server),
  headers: Readonly<Record<string, string>> = {},
) {
  const jar = new Map<string, string>();

  async function step(address: string): Promise<string> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = pairOf(set).split(/=(.*)/);
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider: ${response.status} ${await response.text()}`);
    return new URL(location, address).href;
  }

  const visitor: Visitor = {
    ...of,
    attempt: null,
    async begin(body, way = 'begin') {
      const kept = of.cookie();
      const reply = await of.ask('POST', `/single-sign-on/${way}`, body, { headers });
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      // The kit's browser keeps one cookie, and this reply set the attempt's.
      visitor.attempt = of.cookie();
      of.setCookie(kept);
      return reply.body.redirect_url;
    },
    async visit(address) {
      let at = address;
      while (!new URL(at).pathname.startsWith('/portal/sign-in/callback')) at = await step(at);
      return at;
    },
    leaveProvider: () => jar.clear(),
    async comeBack(callback) {
      const { pathname, search } = new URL(callback);
      const cookie = [of.cookie(), visitor.attempt].filter((pair) => pair !== null).join('; ');
      const response = await fetch(`${server.baseUrl}${pathname}${search}`, {
        redirect: 'manual',
        headers: { cookie, ...headers },
      });
      if (response.status !== 303) throw new Error(`callback: ${await response.text()}`);
      const session = response.headers.getSetCookie().find((set) => set.startsWith('tp='));
      if (session !== undefined) of.setCookie(pairOf(session));
      const { origin } = new URL(server.service.config.publicUrl);
      return (response.headers.get('location') ?? '').replace(origin, '');
    },
  };
  return visitor;
}
