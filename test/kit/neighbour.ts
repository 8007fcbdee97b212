import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { withOptions } from '../../engine/database/cell.ts';
import { openFront, type ServedCell } from '../../fleet/front.ts';
import { openPeers } from '../../service/cells/peers.ts';
import type { Config } from '../../service/config/config.ts';
import type { OpenProviders } from '../../service/inbound/providers/providers.ts';
import type { Rails } from '../../service/rails/rails.ts';
import type { Peers } from '../../service/service.ts';
import { buildApp, buildService, closeService } from '../../start/app.ts';
import { openRails } from '../../start/composition.ts';
import { buildWorkers } from '../../start/workers.ts';
import { schemaBeside, testSchema } from './database/database_url.ts';

/** An empty cell that every test server serves before its own, where `TEST_CELL_BESIDE` names one. */
export interface Neighbour {
  readonly peers: Peers;
  /** The address of the tested cell, which knows that both are served. */
  readonly databaseUrl: string;
  readonly controlUrl: string | null;
  /** Answers for both cells, whose messages go the same way: a test sees all. */
  inFrontOf(own: ServedCell, providers: OpenProviders, rails: Rails): Promise<RequestListener>;
  close(): Promise<void>;
}

/** @returns null: the tested cell is served alone */
export async function openNeighbour(
  config: Config,
  context: {
    readonly databaseUrl: string;
    readonly controlUrl: string | null;
    readonly log: Logger;
    readonly realNow?: () => number;
  },
  operatorKey: string,
): Promise<Neighbour | null> {
  if (schemaBeside === null) return null;
  const served = `-c tenant_payments.cells=${schemaBeside},${testSchema}`;
  const { controlUrl } = context;
  const both = withOptions(context.databaseUrl, served);
  const control = controlUrl === null ? null : withOptions(controlUrl, served);
  const databaseUrl = withOptions(control ?? both, `-c search_path=${schemaBeside}`);
  const peers = openPeers();
  const own = { ...context, databaseUrl, controlUrl: null, peers };
  const service = await buildService(config, own);
  let app: FastifyInstance | undefined;
  return {
    peers,
    databaseUrl: both,
    controlUrl: control,
    async inFrontOf(own, providers, { messages }) {
      const rails = { ...(await openRails(service)), messages };
      const workers = buildWorkers(service, rails);
      app = await buildApp({ service, rails, workers, providers, operatorKey });
      return openFront([{ service, handler: app.routing }, own]).handler;
    },
    async close() {
      await app?.close();
      await closeService(service);
    },
  };
}
