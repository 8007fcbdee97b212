import { openDownloadLinks } from '@tenant-payments/service/http/files/download_links.ts';
import { serve, serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { JobLoop } from '@tenant-payments/service/jobs/job_loop.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { listAttempts } from '@tenant-payments/service/webhooks/attempts.ts';
import type { Dispatcher } from '@tenant-payments/service/webhooks/dispatch/dispatcher.ts';
import type { FastifyInstance } from 'fastify';
import { openAccessNotes } from '../access/note.ts';
import { portalEndpoints as contract } from '../contract/catalog.ts';
import { alsoAsFile } from '../files/list_file.ts';
import { disputeLetters } from '../letters/read.ts';
import { serveRead } from '../serve/read.ts';
import { listEvents } from './activity/events.ts';
import { eventFile, requestFile } from './activity/files.ts';
import { listRequests } from './activity/requests.ts';
import { countDeliveries } from './deliveries/counts.ts';
import { recoverEvents } from './deliveries/recover.ts';
import { resendEvent } from './deliveries/resend.ts';
import { testWebhookEndpoint } from './deliveries/test_delivery.ts';
import { getEventType, listEventTypes } from './event_types/event_types.ts';
import { getReconciliationDay } from './ledger/reconciliation_day.ts';
import { openOverview } from './overview/overview.ts';
import { listFaces } from './records/faces.ts';
import { listReports, listStatements } from './records/file_lists.ts';
import { getRecord } from './records/record.ts';
import { searchRecords } from './records/search.ts';
import { searchTenants } from './records/search_tenants.ts';
import { listUpcoming } from './sandbox/upcoming.ts';
import { listPossibleMoves } from './simulate/possible_moves.ts';
import { simulateMove } from './simulate/simulate_move.ts';
import { serveStream } from './stream/serve.ts';

interface ActivityParts {
  readonly dispatcher: Dispatcher;
  readonly jobs: Pick<JobLoop, 'runDueJobs'>;
  readonly isReady: () => boolean;
}

/** Serves what went in and out, and the records by their ids. */
export function serveActivity(
  scope: FastifyInstance,
  service: Service,
  { dispatcher, jobs, isReady }: ActivityParts,
): void {
  serveStream(scope, service, isReady);
  serveHandler(scope, service, contract.getOverview, openOverview(service));
  serveRead(scope, service, contract.getRecord, getRecord(service));
  serveHandler(scope, service, contract.listPossibleMoves, listPossibleMoves(service));
  serve(scope, service, contract.simulateMove, simulateMove(service), jobs.runDueJobs);
  serveRead(scope, service, contract.searchRecords, searchRecords);
  serveRead(
    scope,
    service,
    contract.searchTenants,
    searchTenants(service, openAccessNotes(service)),
  );
  serveRead(scope, service, contract.listFaces, listFaces);
  serveRead(scope, service, contract.listEvents, alsoAsFile(listEvents, eventFile));
  serveRead(scope, service, contract.listEventAttempts, listAttempts);
  serveHandler(scope, service, contract.listRequests, alsoAsFile(listRequests, requestFile));
  const links = openDownloadLinks(service);
  serveRead(scope, service, contract.listStatements, listStatements(links));
  serveRead(scope, service, contract.listReconciliationReports, listReports(links));
  const dayOf = getReconciliationDay(service, links);
  serveRead(scope, service, contract.getReconciliationDay, dayOf);
  const letters = disputeLetters(service, links);
  serveHandler(scope, service, contract.listDisputeLetters, letters.list);
  serveHandler(scope, service, contract.getDisputeLetter, letters.get);
  serveHandler(scope, service, contract.listUpcoming, listUpcoming);

  serveHandler(scope, service, contract.countDeliveries, countDeliveries);
  serveHandler(scope, service, contract.listEventTypes, listEventTypes);
  serveHandler(scope, service, contract.getEventType, getEventType);
  const resend = resendEvent(service, dispatcher.wake);
  serveHandler(scope, service, contract.resendEvent, resend);
  const recover = recoverEvents(service, dispatcher.wake);
  serveHandler(scope, service, contract.recoverEvents, recover);
  const test = testWebhookEndpoint(service, dispatcher);
  serveHandler(scope, service, contract.testWebhookEndpoint, test);
}
