import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';

/**
 * Hosted pages that a test controls, by the protocol of docs/rules/hosted.md. How they
 * behave stands in front of their path, so that a Tenant's page chooses it by `baseUrl`:
 * `obedient` leaves when asked, `stubborn` does not, `deaf` answers no call, `chatty` ends twice.
 */
const script = `
const [, behaviour] = location.pathname.split('/');
const meta = { session_id: 'ses_1', flow: 'payment_confirm', request_id: null };
const end = (port, facts) => port.postMessage({ type: 'end', result_token: null, error: null, meta,
  status: 'completed', ...facts });
addEventListener('message', ({ data, ports: [port], source }) => {
  if (data?.tps !== 1 || data.type !== 'connect' || window.port || behaviour === 'deaf') return;
  if (source !== (parent === window ? opener : parent)) return;
  window.port = port;
  window.finish = (facts) => end(port, facts);
  port.onmessage = ({ data: message }) => {
    if (message.type === 'token') {
      window.given = message;
      port.postMessage({ type: 'event', name: 'ready', meta });
    }
    if (message.type === 'close' && behaviour !== 'stubborn')
      end(port, { status: 'canceled', result_token: 'rt_left' });
  };
  port.postMessage({ type: 'hello' });
  if (behaviour === 'chatty') for (const token of ['rt_1', 'rt_2']) end(port, { result_token: token });
});
`;

export interface FakePages {
  /** `http://localhost:1234`. */
  readonly origin: string;
  /** Closes every connection and accepts none any more. */
  stop(): Promise<void>;
}

/** @param sdk the script that `/sdk/v1.js` is */
export async function startFakePages(sdk: string): Promise<FakePages> {
  const server = createServer(({ url = '' }, response) => {
    const isScript = url === '/sdk/v1.js';
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const page = `<!doctype html><title>Fake</title><link rel="icon" href="data:,"><button>Here</button><script>${script}</script>`;
    response.end(isScript ? sdk : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A text in the form of a token, which belongs to no session. */
export const fakeToken = `st_${Buffer.alloc(48, 7).toString('base64url')}`;

/** The frame in which the Tenant's page shows the hosted one. */
export async function hostedFrame(page: Page): Promise<Frame> {
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (!frame) throw new Error('the page has no frame');
  return frame;
}

/** The customer finishes in the page, as the test says. */
export const finish = (page: Pick<Frame, 'evaluate'>, facts: object) =>
  page.evaluate((given) => {
    const { finish } = globalThis as unknown as { finish: (facts: object) => void };
    finish(given);
  }, facts);
