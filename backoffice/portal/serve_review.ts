import { overCells } from '@tenant-payments/service/cells/over_cells.ts';
import { serve, serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { JobLoop } from '@tenant-payments/service/jobs/job_loop.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { openAccessNotes } from '../access/note.ts';
import { openAskedMoves } from '../approvals/acts.ts';
import { approveApproval } from '../approvals/approve.ts';
import { beginConsent } from '../approvals/consent.ts';
import { createApproval } from '../approvals/create.ts';
import { tellLarge } from '../approvals/large.ts';
import { listApprovals } from '../approvals/list.ts';
import { platformApprovals } from '../approvals/platform/requests.ts';
import { refuseApproval } from '../approvals/refuse.ts';
import { portalEndpoints as contract } from '../contract/catalog.ts';
import { openCaseCheck } from '../desk/case_holder.ts';
import { listCustomerCases } from '../desk/customer_cases.ts';
import { getCase } from '../desk/file.ts';
import { listDesk } from '../desk/list.ts';
import { deskFile } from '../desk/list_file.ts';
import { addCaseNote } from '../desk/notes.ts';
import { previewMove } from '../desk/preview.ts';
import { releaseCase, takeCase } from '../desk/take.ts';
import { alsoAsFile } from '../files/list_file.ts';
import { listDisputeBoard } from '../review/dispute_board.ts';
import { openIdentity, openIdentityDocument } from '../review/identity.ts';
import { getIdentity } from '../review/identity_record.ts';
import type { MoveTable } from '../review/move.ts';
import { openReviewMoves } from '../review/moves.ts';
import { listReview } from '../review/queue.ts';
import { reviewRecord } from '../review/review.ts';
import { serveRead } from '../serve/read.ts';

/** Serves what waits in all Tenants, and one case of it. */
function serveDesk(scope: FastifyInstance, service: Service, asked: MoveTable): void {
  const list = overCells(service, 'first_to_last', (cell) => listDesk(cell, asked));
  const file = deskFile(openAccessNotes(service));
  serveHandler(scope, service, contract.listDesk, alsoAsFile(list, file));
  serveHandler(scope, service, contract.getCase, getCase(service, asked));
  serveHandler(scope, service, contract.listCustomerCases, listCustomerCases);
  serve(scope, service, contract.takeCase, takeCase(service));
  serve(scope, service, contract.releaseCase, releaseCase(service));
  serve(scope, service, contract.addCaseNote, addCaseNote(service));
  serveHandler(scope, service, contract.previewMove, previewMove(service, asked));
}

/** The reviewer's queue and moves, and the approvals of those that need two people. */
export function serveReview(
  scope: FastifyInstance,
  service: Service,
  { runDueJobs }: Pick<JobLoop, 'runDueJobs'>,
  messages: Messages,
): void {
  const moves = openReviewMoves(service);
  const cases = openCaseCheck(service);
  serveHandler(scope, service, contract.listReview, listReview(moves));
  const review = reviewRecord(moves, cases);
  serve(scope, service, contract.reviewRecord, review, runDueJobs);
  serveRead(
    scope,
    service,
    contract.listDisputeBoard,
    overCells(service, 'first_to_last', listDisputeBoard),
  );
  serveHandler(scope, service, contract.getIdentity, getIdentity);
  serve(scope, service, contract.openIdentity, openIdentity(service));
  serve(scope, service, contract.openIdentityDocument, openIdentityDocument(service));
  const asked = openAskedMoves(service);
  serveHandler(scope, service, contract.listApprovals, listApprovals(service, asked));
  serve(scope, service, contract.createApproval, createApproval(service, asked, cases));
  const consent = beginConsent(service, 'tenant');
  serveHandler(scope, service, contract.beginApprovalConsent, consent);
  const approve = approveApproval(service, asked, cases);
  const tell = tellLarge(service);
  serve(scope, service, contract.approveApproval, approve, (tenantId, body) => {
    tell(tenantId, body);
    return runDueJobs(tenantId);
  });
  serve(scope, service, contract.refuseApproval, refuseApproval(service, cases));

  serveDesk(scope, service, asked);

  const ofPlatform = platformApprovals(service, messages);
  serveHandler(scope, service, contract.listPlatformApprovals, ofPlatform.list);
  serveHandler(scope, service, contract.createPlatformApproval, ofPlatform.create);
  const consentThere = beginConsent(service, 'platform');
  serveHandler(scope, service, contract.beginPlatformApprovalConsent, consentThere);
  serveHandler(scope, service, contract.approvePlatformApproval, ofPlatform.approve);
  serveHandler(scope, service, contract.refusePlatformApproval, ofPlatform.refuse);
}
