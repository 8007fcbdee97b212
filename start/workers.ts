import { openAuditHeads } from '../backoffice/audit/heads.ts';
import { openAuditNightly } from '../backoffice/audit/nightly.ts';
import { noticeTexts } from '../backoffice/letters/notice_texts.ts';
import { endExpiredSessions, removeExpired } from '../backoffice/people/expired.ts';
import { portsLeft } from '../service/config/adapters.ts';
import { openDownloadLinks } from '../service/http/files/download_links.ts';
import { type Advance, openAdvance } from '../service/jobs/advance.ts';
import { openCatchUp } from '../service/jobs/catch_up.ts';
import { type JobLoop, openJobLoop } from '../service/jobs/job_loop.ts';
import { openNightly } from '../service/jobs/nightly.ts';
import { openOrderWatch } from '../service/jobs/order_watch.ts';
import { jobsOf } from '../service/jobs/registry.ts';
import { openSweep, type Sweep } from '../service/jobs/sweep.ts';
import { openWholeProofs } from '../service/jobs/whole_proofs.ts';
import { meterAttempt, meterDelivery } from '../service/operations/webhook_meter.ts';
import type { Rails } from '../service/rails/rails.ts';
import { openRestoreWatch } from '../service/restore/watch.ts';
import type { Service } from '../service/service.ts';
import { type Dispatcher, openDispatcher } from '../service/webhooks/dispatch/dispatcher.ts';
import type { Sender } from '../service/webhooks/send/send.ts';

/** The work besides requests: jobs, and the delivery of events. */
export interface Workers {
  readonly jobs: JobLoop;
  readonly dispatcher: Dispatcher;
  readonly advance: Advance;
  readonly sweep: Sweep;
  /** Begins to look for work: the role `worker` of this process. */
  start(): void;
  /** Starts nothing new, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Composes the workers. Before `start` they only do what a request calls for. */
export function buildWorkers(service: Service, rails: Rails): Workers {
  const jobs = openJobLoop(
    service,
    jobsOf({ ...service, links: openDownloadLinks(service) }, rails, noticeTexts),
  );
  const measured = (sender: Sender): Sender => ({
    ...sender,
    send: (...request) => meterAttempt(service.meters, () => sender.send(...request)),
  });
  const dispatcher = openDispatcher(service, {
    measured,
    onDelivered: (delivery) => meterDelivery(service.meters, delivery, service.clocks.realNow()),
  });
  const advance = openAdvance(service, { jobs, dispatcher });
  const sweep = openSweep(service, [
    () => removeExpired(service),
    () => endExpiredSessions(service),
  ]);
  const restores = openRestoreWatch(service);
  const nightly = openNightly(service, { catchUp: openCatchUp(service, rails) });
  const orderWatch = openOrderWatch(service);
  const wholeProofs = openWholeProofs(service);
  const auditHeads = openAuditHeads(service);
  const auditNightly = openAuditNightly(service);
  return {
    jobs,
    dispatcher,
    advance,
    sweep,
    start() {
      restores.start();
      jobs.start();
      dispatcher.start();
      advance.start();
      sweep.start();
      nightly.start();
      // The sandbox's own bank answers when the developer says so.
      if (!portsLeft(service.config.adapters).includes('bank') || service.config.rails !== null)
        orderWatch.start();
      wholeProofs.start();
      auditHeads.start();
      auditNightly.start();
    },
    async stop() {
      // An advance runs both, so it goes first.
      await advance.stop();
      const others = [
        restores,
        sweep,
        nightly,
        orderWatch,
        wholeProofs,
        auditHeads,
        auditNightly,
      ].map((loop) => loop.stop());
      await Promise.all([jobs.stop(), dispatcher.drain(), ...others]);
    },
  };
}
