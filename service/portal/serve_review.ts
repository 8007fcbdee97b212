import { portalEndpoints as contract } from '@tenant-payments/contract/portal/catalog.ts';
import type { FastifyInstance } from 'fastify';
import { serve, serveHandler } from '../http/serve/serve.ts';
import type { JobLoop } from '../jobs/job_loop.ts';
import type { Service } from '../service.ts';
import { openAskedMoves } from './approvals/acts.ts';
import { approveApproval } from './approvals/approve.ts';
import { createApproval } from './approvals/create.ts';
import { listApprovals } from './approvals/list.ts';
import { platformApprovals } from './approvals/platform/requests.ts';
import { refuseApproval } from './approvals/refuse.ts';
import { listDisputeBoard } from './review/dispute_board.ts';
import { openReviewMoves } from './review/moves.ts';
import { listReview } from './review/queue.ts';
import { reviewRecord } from './review/review.ts';
import { serveRead } from './serve_read.ts';

/** The reviewer's queue and moves, and the approvals of those that need two people. */
export function serveReview(
  scope: FastifyInstance,
  service: Service,
  { runDueJobs }: Pick<JobLoop, 'runDueJobs'>,
): void {
  const moves = openReviewMoves(service);
  serveHandler(scope, service, contract.listReview, listReview(moves));
  const review = reviewRecord(moves, service.config);
  serve(scope, service, contract.reviewRecord, review, runDueJobs);
  serveRead(scope, service, contract.listDisputeBoard, listDisputeBoard(service));
  const asked = openAskedMoves(service);
  serveHandler(scope, service, contract.listApprovals, listApprovals(service, asked));
  serve(scope, service, contract.createApproval, createApproval(service, asked));
  const approve = approveApproval(service, asked);
  serve(scope, service, contract.approveApproval, approve, runDueJobs);
  serve(scope, service, contract.refuseApproval, refuseApproval(service));

  const ofPlatform = platformApprovals(service);
  serveHandler(scope, service, contract.listPlatformApprovals, ofPlatform.list);
  serveHandler(scope, service, contract.createPlatformApproval, ofPlatform.create);
  serveHandler(scope, service, contract.approvePlatformApproval, ofPlatform.approve);
  serveHandler(scope, service, contract.refusePlatformApproval, ofPlatform.refuse);
}
