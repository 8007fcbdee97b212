import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { unavailable } from '../core/fail.ts';
import { faultFacts } from '../core/fault.ts';
import { answerAlone } from '../http/listen.ts';
import { maximumBodyBytes } from '../http/serve/errors.ts';
import type { Service } from '../service.ts';
import { readAhead } from './body.ts';
import { openChoice } from './choose.ts';

/** A cell of this process, and what answers its requests. */
export interface ServedCell {
  readonly service: Service;
  readonly handler: RequestListener;
}

/**
 * One address for several cells: hands each request to the cell of its Tenant (rules/cells#9). While the
 * directory cannot be read, requests whose cell is not known yet are 503.
 */
export function openFront(cells: readonly [ServedCell, ...ServedCell[]]): RequestListener {
  const [first, ...others] = cells;
  const handlers = new Map(cells.map(({ service, handler }) => [service, handler]));
  const choice = openChoice([first.service, ...others.map(({ service }) => service)]);

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > maximumBodyBytes;
    const isInBody = choice.isInBody(request) && request.method === 'POST' && !isTooLarge;
    const { body, unread } = isInBody
      ? await readAhead(request, maximumBodyBytes)
      : { body: null, unread: request };
    const service = await choice.cellOf(unread, body);
    handlers.get(service)?.(unread, response);
  }

  return (request, response) => {
    const known = choice.knownCellOf(request);
    if (known) return handlers.get(known)?.(request, response);
    pass(request, response).catch((error: unknown) => {
      // A client that left while it sent its body.
      if (request.destroyed && !request.complete) return response.destroy();
      first.service.log.warn({ fault: faultFacts(error) }, 'the cell of a request is not known');
      answerAlone(response, unavailable('the cell of this request cannot be found now'));
    });
  };
}
