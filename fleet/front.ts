import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError, unavailable } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { answerAlone } from '@tenant-payments/service/http/listen.ts';
import { maximumBodyBytes } from '@tenant-payments/service/http/serve/errors.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { openAnyCell } from './any_cell.ts';
import { readAhead } from './body.ts';
import { type Destination, openChoice } from './choose.ts';
import { lookInCell, lookInControl } from './move_watch.ts';
import { openStops, type Stops, type StopsOfCells } from './stops.ts';
import { openUnderWay } from './under_way.ts';

/** A cell of this process, and what answers its requests. */
export interface ServedCell {
  readonly service: Service;
  readonly handler: RequestListener;
}

/** One address for several cells. */
export interface Front {
  readonly handler: RequestListener;
  readonly stops: StopsOfCells;
  /** Serves one more, which was away at the start. */
  add(cell: ServedCell): void;
}

/**
 * Hands each request to the cell of its Tenant (rules/cells#9). While the directory cannot be read, requests
 * whose cell is not known yet are 503, and so are those of a Tenant that is being moved.
 */
export function openFront([first, ...others]: readonly [ServedCell, ...ServedCell[]]): Front {
  const { log } = first.service;
  const handlers = new Map<Service, RequestListener>();
  const underWay = openUnderWay();
  const ask = openAnyCell([first, ...others].map(({ service }) => service));
  const seen = { stopped: underWay.end, moved: () => choice.forget() };
  const stops = openStops(lookInControl(first.service, ask), log, seen);
  const choice = openChoice(first.service, ask, stops.movedTo);
  /** A remote cell says itself who is stopped. */
  const remote = new Map<Service, Stops>();
  const stopsOf = ({ service }: Destination): Stops => remote.get(service) ?? stops;
  const isBelievable = (destination: Destination) => stopsOf(destination).isCurrent();
  let isStarted = false;

  function add({ service, handler }: ServedCell): void {
    handlers.set(service, handler);
    if (!service.isRemote) return;
    const own = openStops(lookInCell(service), log, seen);
    remote.set(service, own);
    if (isStarted) own.start();
  }
  for (const cell of [first, ...others]) add(cell);

  function hand(
    destination: Destination,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const { service, tenantId } = destination;
    if (tenantId !== null) {
      stopsOf(destination).check(tenantId);
      underWay.add(tenantId, response);
    }
    handlers.get(service)?.(request, response);
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > maximumBodyBytes;
    const isInBody = choice.isInBody(request) && request.method === 'POST' && !isTooLarge;
    const { body, unread } = isInBody
      ? await readAhead(request, maximumBodyBytes)
      : { body: null, unread: request };
    let destination = await choice.cellOf(unread, body);
    if (!isBelievable(destination)) {
      await stopsOf(destination).read();
      destination = await choice.cellOf(unread, body);
    }
    hand(destination, unread, response);
  }

  function refuse(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    // A client that left while it sent its body.
    if (request.destroyed && !request.complete) {
      response.destroy();
      return;
    }
    if (error instanceof ApiError) {
      answerAlone(response, error);
      return;
    }
    first.service.log.warn({ fault: faultFacts(error) }, 'the cell of a request is not known');
    answerAlone(response, unavailable('the cell of this request cannot be found now', 1, 'cell'));
  }

  const handler: RequestListener = (request, response) => {
    const known = choice.knownCellOf(request);
    if (!known || !isBelievable(known))
      return void pass(request, response).catch((error: unknown) =>
        refuse(error, request, response),
      );
    try {
      hand(known, request, response);
    } catch (error) {
      refuse(error, request, response);
    }
  };
  const all = () => [stops, ...remote.values()];
  return {
    handler,
    add,
    stops: {
      start() {
        isStarted = true;
        for (const one of all()) one.start();
      },
      async stop() {
        await Promise.all(all().map((one) => one.stop()));
      },
      passed: stops.passed,
    },
  };
}
