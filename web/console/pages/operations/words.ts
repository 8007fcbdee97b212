import type { Worry } from '@tenant-payments/backoffice/contract/operate/operations.ts';

/** The words for each worry and its remedy, as the guide says them under "when to worry". */
export const worryWords: Readonly<Record<Worry, string>> = {
  no_worker:
    'No process with the role worker is alive: no job runs and no event is sent. Start one.',
  no_api: 'No process with the role api is alive: no request is answered. Start one.',
  process_lost: 'A process was not seen for 10 seconds. If you did not stop it, look at its log.',
  jobs_late: 'A job is more than a minute late: there is no worker, or the job fails.',
  deliveries_late:
    'An attempt is more than a minute late: there is no worker, or there are too few.',
  event_undelivered:
    'An event waits for more than an hour: its receiver is down. Inform the tenant; the attempts are in its portal.',
  database_busy:
    'Queries wait for a connection to the database. Should this last, find what is slow.',
  ledger_violated:
    'A ledger violates an invariant. Stop moving money for that tenant, and read the violation.',
  ledger_not_proven: 'A ledger was not proven within 26 hours. See that a worker runs at night.',
};
