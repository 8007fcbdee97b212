/** The meaning of each alarm and what to do: the guide's table and the console say it from here. */

/**
 * The alarms in the order of the guide. Two of one name differ by the field that their line has.
 */
export const alarmTexts = [
  {
    alarm: 'command',
    means: 'a command failed by a fault of the service; it changed nothing',
    remedy:
      '`fault` names the constraint or the place in the code; the caller may repeat the request',
  },
  {
    alarm: 'job',
    means: 'a job failed and is tried again, with longer pauses up to an hour',
    remedy: '`fault` names the constraint or the place in the code; the effect of the job waits',
  },
  {
    alarm: 'rails',
    means:
      'ten calls of one method of the rails have failed in a row: `method`; it is left alone for 5 s to a minute at a time, and then one call tries',
    remedy:
      'see the lines of the failed calls, with `cause` and `fault`, and ask the provider; what waits goes on by itself, and a line says so',
  },
  {
    alarm: 'rail_provider',
    means:
      'a provider of the rails module cannot read a message that was sent to it, cannot be polled the third time in a row, or is polled by nobody: `provider`, `method`',
    remedy:
      'see `fault`, or start a worker that serves all cells; its messages are sent again, or wait there, and go on by themselves; `npm run cli -- rails check` says whether it can be reached',
  },
  {
    alarm: 'rail_message',
    means:
      'a message of a provider is kept and did nothing: the records refuse it (`result`), or its id was used for another message (`id_reused`)',
    remedy:
      'open it in the console under Messages of providers: find out with its sender what it meant, then replay or close it',
  },
  {
    alarm: 'unknown_job',
    means: 'a job whose name this release does not know',
    remedy: 'a newer release wrote it: finish the upgrade',
  },
  {
    alarm: 'ledger',
    means:
      'an invariant of a ledger about money is violated: `violations` names each with its record, 20 of `found` at most',
    remedy:
      'stop moving money for that tenant and read the violations; it is raised again each night until no invariant is violated',
  },
  {
    alarm: 'ledger_order',
    means:
      'records, events, jobs or counts of a tenant do not agree, and no amount is wrong: `violations` as in `ledger`',
    remedy: 'read the violations and find their cause; money may go on moving',
  },
  {
    alarm: 'ledger_time',
    means:
      'instants or due times of a tenant lie where they cannot, as a wrong clock leaves them: `violations` as in `ledger`',
    remedy: 'look for the alarm `clock` of that time; money may go on moving',
  },
  {
    alarm: 'audit',
    having: 'faults',
    means:
      'rows of a chain of the audit were changed, removed or put in: `faults` names their numbers',
    remedy: 'keep the database as it is; find with the log lines that you keep who wrote to it',
  },
  {
    alarm: 'audit',
    having: 'fault',
    means:
      'a refusal of a known caller could not be written to the audit; it was answered all the same',
    remedy: '`fault` says why; while the database is away nothing else can be done either',
  },
  {
    alarm: 'audit',
    having: 'rights',
    means:
      'no row of the audit explains some roles, passkeys or API keys: `rights` names 20 of them at most',
    remedy:
      'somebody wrote the database past the service: remove them, end the sessions of their people, and replace the password of the login that wrote',
  },
  {
    alarm: 'stored_json',
    means:
      'what is stored of a Tenant is not what this release reads: `column` and `at` name it; all that needs it is refused with 503',
    remedy:
      'of `tenants.settings`: set the named setting anew with `npm run cli -- settings set KEY=JSON --tenant ID`; of another column, correct the row',
  },
  {
    alarm: 'sealed_secret',
    means: 'a webhook secret does not open; events are signed without it',
    remedy:
      '`SEALING_KEY` lacks the key that sealed it: put it back, or let the Tenant make a new secret',
  },
  {
    alarm: 'clock',
    means:
      "the machine's clock differs from the database's by more than 2 s: `ahead_ms`, negative where it is behind; the process is not ready, and works by the database's time",
    remedy: 'set the clocks of both machines by NTP; the process is ready again within seconds',
  },
  {
    alarm: 'restore',
    means:
      'the database was restored: orders to the bank, messages and events are held, `cause` says who found it; raised each hour',
    remedy: 'compare with the bank: `npm run cli -- restore status --take`, then `restore end`',
  },
  {
    alarm: 'restore_order',
    means:
      'the bank has executed an order of which no record is known since a restore: `amount` in cents',
    remedy: 'let its tenant repeat the call with its key; what stays is credited by two people',
  },
  {
    alarm: 'timeline',
    means:
      'the database goes on from a promotion, or from a restore to the end of its archive, while no process ran; nothing is held',
    remedy: 'if it was restored, run `npm run cli -- restore begin`',
  },
  {
    alarm: 'database_away',
    means:
      'this process has not reached its database for 10 s, or it takes no writes: `cause`, and `since` when; every call is answered 503',
    remedy:
      'run `npm run cli -- doctor` beside it, and look at the database; a line says when it is back',
  },
  {
    alarm: 'no_worker',
    means: 'no process with the role `worker` was seen for 30 s',
    remedy: 'start one: no job runs and no event is sent until then',
  },
  {
    alarm: 'contradiction',
    means:
      'the bank, aggregator or identity provider reported something that contradicts how the record ended; nothing moved',
    remedy: 'ask the bank or the provider what is true; `fact` names its message',
  },
  {
    alarm: 'amount_mismatch',
    means: 'the bank reported another amount than was ordered; the record did not move',
    remedy: "compare with the bank's statement",
  },
  {
    alarm: 'unknown',
    means: 'a message names a record that does not exist; nothing moved',
    remedy: 'ask its sender what is true; it may be a message for another deployment',
  },
  {
    alarm: 'late',
    means: 'bank money arrived for a record that had failed; it is in suspense',
    remedy: "match or return it at the reviewer's door",
  },
  {
    alarm: 'unmatched',
    means: 'a transfer was returned and no account can be credited; the money is in suspense',
    remedy: "match or return it at the reviewer's door",
  },
  {
    alarm: 'suspense',
    means:
      'bank money of a Tenant stands in suspense: `items`, together `amount` in cents, the oldest `since`; raised each night, and after each start, for as long as there is any',
    remedy: 'match or return each at the desk, under Unmatched money',
  },
  {
    alarm: 'reserve',
    means:
      "a Tenant's reserve is below zero, by whatever posting: `balance` in cents; raised each night, and after each start, for as long as it is",
    remedy: 'fund it today: that much of what customers have is not at the bank',
  },
  {
    alarm: 'bank_difference',
    means:
      "a statement of the bank that was uploaded differs from the ledger: `id` is the statement's, `open` counts its lines and postings that agree with none",
    remedy:
      'open it in the console under Statements: each difference is cleared up by a note, or booked once the bank has said what is true',
  },
  {
    alarm: 'fbo_short',
    having: 'closing_balance',
    means:
      "by the bank's statement of `day` the account held less than customers had: `closing_balance` and `customers`, in cents; every line may agree all the same, where the reserve is below zero",
    remedy:
      "fund the reserve today, and find the difference: the customers' money must be at the bank each night",
  },
  {
    alarm: 'fbo_short',
    means:
      'the bank refused a transfer of ours since the account it comes from has too little money (AM04); the record failed with `processing_error`',
    remedy:
      'top up the account, then find out why the bank has less than the ledger; the customer may ask again',
  },
  {
    alarm: 'bank_refusal',
    means:
      'the bank refused an order for what we sent, or for our own account: `reason` of the fact; the record failed with `processing_error`',
    remedy: 'mend our data or account with the bank before more orders fail in the same way',
  },
  {
    alarm: 'bank_reason',
    means:
      'the bank refused an order with a reason that this release does not know; the record failed with `rejected_other`',
    remedy: 'ask the bank what it means, and report it to us, for the table of reasons',
  },
  {
    alarm: 'own_order',
    means:
      'the bank refused an order of the platform itself: a sweep of fees, money for the reserve, or money that goes back; the money is where it was before',
    remedy:
      'mend the account with the bank: fees go with the next sweep, the reserve and what is in suspense wait for a person',
  },
  {
    alarm: 'awarded_twice',
    means:
      'the bank refused a withdrawal or payment that 1.0 had awarded in a dispute while the bank was executing it: its customer has the money twice',
    remedy:
      'a reviewer takes the award back by an adjustment of the account, and tells the customer',
  },
  {
    alarm: 'request_volume',
    means:
      'of the requests for payment of a Tenant in 24 hours more than a fifth was refused, or more than one in a hundred customers takes no requests any more',
    remedy:
      'ask the Tenant whom it sent them to, and why: the networks ask your bank. The overview of the Tenant shows them by use',
  },
  {
    alarm: 'not_live',
    means:
      'a production Tenant with customers lacks what it needs to take more: `lacks` names the institution of its settings, or documents of which only the sample is there',
    remedy:
      'set the institution in the console, publish the documents; until then its customers go on, and their papers name a sample institution',
  },
  {
    alarm: 'order_unclear',
    means:
      'an order may have been executed, and for an hour the bank has not said so: it was asked as often; nothing of it is released or sent again meanwhile',
    remedy:
      'ask the bank by `order_id` how the order stands, and see that it reports it; `reason` is what it said first',
  },
  {
    alarm: 'order_unanswered',
    means:
      'the bank has had an order since `since` and has not said how it ended, for longer than `ORDER_ALARM_HOURS`: `purpose`; once a day for each, and `waiting` says how many wait so long',
    remedy:
      'ask the bank by `order_id` how the order stands, and see that it reports it; of several, see first whether its messages arrive',
  },
  {
    alarm: 'return_request',
    having: 'refused_for',
    means:
      'the bank takes no answer to its request to give money back, for ever: `refused_for`; what was accepted has its order all the same',
    remedy: 'tell the bank the answer by other means: the bank knows the request by `id`',
  },
  {
    alarm: 'return_request',
    means:
      'another bank asks for money back that came, and nobody has answered: it is raised a day before `answer_by`, at that time, and then each business day',
    remedy: 'answer it at the desk, under Money asked back: accept all or a part, or refuse',
  },
  {
    alarm: 'file',
    means: 'the file of a statement, report or letter broke off while it was sent',
    remedy: '`fault` names the constraint or the place in the code; request the address again',
  },
  {
    alarm: 'dispute_credit',
    means: 'a provisional credit is due and its amount is not known',
    remedy: 'a reviewer enters the amount (12 CFR 1005.11(c)(2))',
  },
  {
    alarm: 'dispute_result',
    means: 'the day for the determination of a dispute has passed',
    remedy: 'a reviewer decides it',
  },
  {
    alarm: 'dispute_credit_notice',
    means: 'the notice of a provisional credit is late (Regulation E)',
    remedy:
      'make sure that the customer is notified; `endpoints` names those that have not taken it',
  },
  {
    alarm: 'dispute_correction',
    means: 'the correction of an error has not reached the customer in time (Regulation E)',
    remedy: 'make sure that the customer has the money and is notified',
  },
  {
    alarm: 'dispute_result_notice',
    means: "the notice of a dispute's result is late (Regulation E)",
    remedy:
      'make sure that the customer is notified; `endpoints` names those that have not taken it',
  },
  {
    alarm: 'dispute_words',
    means: "a customer's words contradict the type of the dispute",
    remedy: 'a reviewer looks at the notice, and classifies it where the type is wrong',
  },
  {
    alarm: 'dispute_reserve',
    means: 'a credit took the reserve below zero',
    remedy: 'fund the reserve',
  },
  {
    alarm: 'large_approval',
    means:
      'two people have approved an act that moves more than $100,000 at once: `amount` in cents',
    remedy: 'ask both, not by the console, whether they did it; the request shows what moved',
  },
] as const satisfies readonly {
  readonly alarm: string;
  readonly having?: string;
  readonly means: string;
  readonly remedy: string;
}[];

export type AlarmName = (typeof alarmTexts)[number]['alarm'];
export const alarmNames: readonly AlarmName[] = [...new Set(alarmTexts.map(({ alarm }) => alarm))];

/** The texts of an alarm with these facts; null: a newer release raised it. */
export function textOf(alarm: string, facts: object) {
  const own = alarmTexts.filter((text) => text.alarm === alarm);
  return own.find((text) => !('having' in text) || text.having in facts) ?? own[0] ?? null;
}
